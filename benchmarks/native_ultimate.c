/* Solves Ultimate Texas Hold'em by plain enumeration: boards up to suit isomorphism, all hands
   ranked by table and sorted, opponents counted by subtraction, boards summed into flops.
   Prints the value of one ante and the number of river situations that bet. Single-threaded. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLOPS = 1755, HANDS = 1326, PAIR = 1 << 20 };
static int perms[24][4], flush_value[8192], flop_id[52][52][52], flop_perm[52][52][52];
static int flop_size[FLOPS], flop_card[FLOPS][3], hand_id[52][52], hand_cards[HANDS][2];
static int64_t checks[FLOPS][HANDS], bets[FLOPS][HANDS];
static double early[169], later[169]; /* by starting hand: the values of 4x and of checking */
static long river_bets, river_folds;

static int rename_card(int card, const int *perm) { return (card & ~3) | perm[card & 3]; }

static int rename_hand(int id, const int *perm) {
  return hand_id[rename_card(hand_cards[id][0], perm)][rename_card(hand_cards[id][1], perm)];
}

static uint64_t rename_all(const int *cards, int count, const int *perm) {
  uint64_t name = 0;
  for (int i = 0; i < count; i++) name |= 1ull << rename_card(cards[i], perm);
  return name;
}

/* The size of a board's isomorphism class, or 0 if it is not the representative. */
static int class_size(const int *cards, int count) {
  uint64_t own = rename_all(cards, count, perms[0]);
  int same = 0;
  for (int p = 0; p < 24; p++) {
    uint64_t name = rename_all(cards, count, perms[p]);
    if (name < own) return 0;
    same += name == own;
  }
  return 24 / same;
}

static int straight(int ranks) {
  int with_ace = ranks << 1 | ranks >> 12;
  for (int top = 12; top >= 3; top--)
    if ((with_ace >> (top - 3) & 31) == 31) return top;
  return 0;
}

static int best(int ranks, int many) {
  int found = 0;
  for (int rank = 12; rank >= 0 && many; rank--)
    if (ranks >> rank & 1) { found = found << 4 | rank; many--; }
  return found;
}

/* The value of seven cards without a flush, from the number of cards of each rank. */
static int rank_value(const int *n) {
  int all = 0, four = -1, three = -1, pair = -1, pair2 = -1, top;
  for (int rank = 12; rank >= 0; rank--) {
    all |= (n[rank] > 0) << rank;
    if (n[rank] == 4) four = rank;
    else if (n[rank] == 3 && three < 0) three = rank;
    else if (n[rank] >= 2) { if (pair < 0) pair = rank; else if (pair2 < 0) pair2 = rank; }
  }
  if (four >= 0) return 7 * PAIR | four << 16 | best(all & ~(1 << four), 1) << 12;
  if (three >= 0 && pair >= 0) return 6 * PAIR | three << 16 | pair << 12;
  if ((top = straight(all))) return 4 * PAIR | top << 16;
  if (three >= 0) return 3 * PAIR | three << 16 | best(all & ~(1 << three), 2) << 8;
  if (pair2 >= 0)
    return 2 * PAIR | pair << 16 | pair2 << 12 | best(all & ~(1 << pair | 1 << pair2), 1) << 8;
  if (pair >= 0) return PAIR | pair << 16 | best(all & ~(1 << pair), 3) << 4;
  return best(all, 5);
}

static void make_tables(void) {
  for (int p = 0, a = 0; a < 4; a++)
    for (int b = 0; b < 4; b++)
      for (int c = 0; c < 4; c++)
        if (a != b && a != c && b != c) {
          int perm[4] = {a, b, c, 6 - a - b - c};
          memcpy(perms[p++], perm, sizeof perm);
        }
  for (int mask = 0; mask < 8192; mask++)
    if (__builtin_popcount(mask) >= 5) {
      int top = straight(mask);
      flush_value[mask] = top ? 8 * PAIR | top << 16 : 5 * PAIR | best(mask, 5);
    }
  for (int id = 0, high = 0; high < 52; high++)
    for (int low = 0; low < high; low++, id++) {
      hand_id[low][high] = hand_id[high][low] = id;
      hand_cards[id][0] = low;
      hand_cards[id][1] = high;
    }
  for (int id = 0, c = 0; c < 52; c++)
    for (int b = 0; b < c; b++)
      for (int a = 0; a < b; a++) {
        int cards[3] = {a, b, c}, size = class_size(cards, 3);
        if (size) {
          memcpy(flop_card[id], cards, sizeof cards);
          flop_size[id++] = size;
        }
      }
  for (int id = 0; id < FLOPS; id++)
    for (int p = 0; p < 24; p++)
      for (int q = 0; q < 24; q++) {
        int back = 1;
        for (int suit = 0; suit < 4; suit++) back &= perms[q][perms[p][suit]] == suit;
        if (!back) continue;
        int x[3];
        for (int i = 0; i < 3; i++) x[i] = rename_card(flop_card[id][i], perms[p]);
        for (int i = 0; i < 3; i++)
          for (int j = 0; j < 3; j++)
            if (i != j) {
              flop_id[x[i]][x[j]][x[3 - i - j]] = id;
              flop_perm[x[i]][x[j]][x[3 - i - j]] = q;
            }
      }
}

static int hand_class(int id) {
  int low = hand_cards[id][0], high = hand_cards[id][1], a = low >> 2, b = high >> 2;
  return (low & 3) == (high & 3) ? 13 * b + a : 13 * a + b;
}

/* Twice the winnings of the blind, by category and for a royal flush. */
static int blind(int value) {
  static const int pays[9] = {0, 0, 0, 0, 2, 3, 6, 20, 100};
  return value == (8 * PAIR | 12 << 16) ? 1000 : pays[value >> 20];
}

/* Sorts the hands of a board, worst first: a radix sort in two passes of twelve bits. */
static void sort_hands(int count, uint64_t *codes, uint64_t *room) {
  for (int shift = 16; shift <= 28; shift += 12) {
    int starts[4097] = {0};
    for (int i = 0; i < count; i++) starts[(codes[i] >> shift & 4095) + 1]++;
    for (int i = 0; i < 4096; i++) starts[i + 1] += starts[i];
    for (int i = 0; i < count; i++) room[starts[codes[i] >> shift & 4095]++] = codes[i];
    memcpy(codes, room, count * sizeof *codes);
  }
}

static int list_hands(const int *board, uint64_t *codes) {
  int ranks[13] = {0}, suits[4] = {0}, values[13][13], count = 0;
  uint64_t used = 0;
  for (int i = 0; i < 5; i++) {
    ranks[board[i] >> 2]++;
    suits[board[i] & 3] |= 1 << (board[i] >> 2);
    used |= 1ull << board[i];
  }
  for (int b = 0; b < 13; b++)
    for (int a = 0; a <= b; a++) {
      ranks[a]++; ranks[b]++;
      values[a][b] = ranks[a] < 5 && ranks[b] < 5 ? rank_value(ranks) : 0;
      ranks[a]--; ranks[b]--;
    }
  for (int id = 0; id < HANDS; id++) {
    int low = hand_cards[id][0], high = hand_cards[id][1];
    if (used >> low & 1 || used >> high & 1) continue;
    int value = values[low >> 2][high >> 2];
    for (int suit = 0; suit < 4; suit++) {
      int mask = suits[suit];
      if ((low & 3) == suit) mask |= 1 << (low >> 2);
      if ((high & 3) == suit) mask |= 1 << (high >> 2);
      if (flush_value[mask] > value) value = flush_value[mask];
    }
    codes[count++] = (uint64_t)value << 16 | id;
  }
  return count;
}

/* The value of each hand against all 990 others: best on the river, 2x and 4x, in half antes. */
static void solve_board(const int *board, int weight) {
  static uint64_t codes[HANDS], room[HANDS];
  static int64_t river[HANDS], flop[HANDS];
  int count = list_hands(board, codes), below = 0, low_all = 0;
  int below_with[52] = {0}, level_with[52] = {0}, low_with[52] = {0};
  sort_hands(count, codes, room);
  for (int i = 0; i < count && codes[i] >> 16 < PAIR; i++, low_all++)
    for (int side = 0; side < 2; side++) low_with[hand_cards[codes[i] & 65535][side]]++;
  for (int first = 0, last; first < count; first = last) {
    int value = codes[first] >> 16;
    for (last = first; last < count && (int)(codes[last] >> 16) == value; last++)
      for (int side = 0; side < 2; side++) level_with[hand_cards[codes[last] & 65535][side]]++;
    for (int i = first; i < last; i++) {
      int id = codes[i] & 65535, a = hand_cards[id][0], b = hand_cards[id][1];
      int tied = last - first - level_with[a] - level_with[b] + 1;
      int won = below - below_with[a] - below_with[b], lost = 990 - tied - won;
      int low = low_all - low_with[a] - low_with[b] + (value < PAIR);
      /* The ante plays only against a dealer who qualifies with a pair. */
      int low_won = value < PAIR ? won : low, low_lost = value < PAIR ? low - won - tied : 0;
      int ante = 2 * (won - low_won - (lost - low_lost)), play = 2 * (won - lost);
      int fixed = ante + won * blind(value) - 2 * lost;
      river[id] = fixed + play;
      if (river[id] > -4 * 990) river_bets += weight;
      else { river[id] = -4 * 990; river_folds += weight; }
      flop[id] = fixed + 2 * play;
      early[hand_class(id)] += (double)weight * (fixed + 4 * play);
    }
    for (int i = first; i < last; i++)
      for (int side = 0; side < 2; side++) {
        int card = hand_cards[codes[i] & 65535][side];
        below_with[card] += level_with[card];
        level_with[card] = 0;
      }
    below += last - first;
  }
  for (int c = 0; c < 5; c++)
    for (int b = 0; b < c; b++)
      for (int a = 0; a < b; a++) {
        int at = flop_id[board[a]][board[b]][board[c]];
        const int *perm = perms[flop_perm[board[a]][board[b]][board[c]]];
        for (int i = 0; i < count; i++) {
          int id = codes[i] & 65535;
          int to = rename_hand(id, perm);
          checks[at][to] += weight * river[id];
          bets[at][to] += weight * flop[id];
        }
      }
}

/* Combines the sums over runouts of suit permutations that leave the flop unchanged. */
static void decide_flop(int at) {
  int same[24], many = 0;
  for (int p = 0; p < 24; p++)
    if (rename_all(flop_card[at], 3, perms[p]) == rename_all(flop_card[at], 3, perms[0]))
      same[many++] = p;
  for (int id = 0; id < HANDS; id++) {
    int64_t check = 0, bet = 0;
    for (int i = 0; i < many; i++) {
      int to = rename_hand(id, perms[same[i]]);
      check += checks[at][to];
      bet += bets[at][to];
    }
    later[hand_class(id)] += (double)(check > bet ? check : bet) / many;
  }
}

int main(void) {
  int b[5];
  make_tables();
  for (b[4] = 4; b[4] < 52; b[4]++)
    for (b[3] = 3; b[3] < b[4]; b[3]++)
      for (b[2] = 2; b[2] < b[3]; b[2]++)
        for (b[1] = 1; b[1] < b[2]; b[1]++)
          for (b[0] = 0; b[0] < b[1]; b[0]++) {
            int weight = class_size(b, 5);
            if (weight) solve_board(b, weight);
          }
  for (int at = 0; at < FLOPS; at++) decide_flop(at);
  double total = 0;
  for (int kind = 0; kind < 169; kind++) {
    later[kind] /= 10; /* every board was added to ten flops */
    total += early[kind] > later[kind] ? early[kind] : later[kind];
  }
  printf("%.12f %ld %ld\n", total / 2 / 990 / 2598960 / 1081, river_bets, river_folds);
  return 0;
}
