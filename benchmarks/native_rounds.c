/* Simulates Ultimate's main game with a simple chart, ranking hands by counting; prints the net. */
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
static uint64_t s = 88172645463325252ull;
static inline uint32_t draw(uint32_t n) {
  s ^= s << 13; s ^= s >> 7; s ^= s << 17;
  return (uint32_t)(((s >> 32) * n) >> 32);
}
static int straight(int m) {
  int l = m << 1 | m >> 12;
  for (int t = 12; t >= 3; t--) if ((l >> (t - 3) & 31) == 31) return t;
  return 0;
}
static int value(const int *c) {
  int n[13] = {0}, suit[4] = {0}, all = 0;
  for (int i = 0; i < 7; i++) {
    n[c[i] >> 2]++; suit[c[i] & 3] |= 1 << (c[i] >> 2); all |= 1 << (c[i] >> 2);
  }
  int flush = 0;
  for (int i = 0; i < 4; i++) if (__builtin_popcount(suit[i]) >= 5) flush = suit[i];
  if (flush) { int t = straight(flush); if (t) return 8 << 20 | t << 16; }
  int four = -1, three = -1, three2 = -1, pair = -1, pair2 = -1;
  for (int r = 12; r >= 0; r--) {
    if (n[r] == 4) four = r;
    else if (n[r] == 3) { if (three < 0) three = r; else three2 = r; }
    else if (n[r] == 2) { if (pair < 0) pair = r; else if (pair2 < 0) pair2 = r; }
  }
  int base, left, used;
  if (four >= 0) { base = 7 << 20 | four << 16; used = 1 << four; left = 1; }
  else if (three >= 0 && (three2 >= 0 || pair >= 0))
    return 6 << 20 | three << 16 | (three2 > pair ? three2 : pair) << 12;
  else if (flush) { base = 5 << 20; used = 0; left = 5; all = flush; }
  else {
    int t = straight(all);
    if (t) return 4 << 20 | t << 16;
    if (three >= 0) { base = 3 << 20 | three << 16; used = 1 << three; left = 2; }
    else if (pair2 >= 0) {
      base = 2 << 20 | pair << 16 | pair2 << 12; used = 1 << pair | 1 << pair2; left = 1;
    }
    else if (pair >= 0) { base = 1 << 20 | pair << 16; used = 1 << pair; left = 3; }
    else { base = 0; used = 0; left = 5; }
  }
  int kickers = 0;
  for (int r = 12; r >= 0 && left; r--)
    if ((all & ~used) >> r & 1) { kickers = kickers << 4 | r; left--; }
  return base | kickers >> 4;
}
int main(int argc, char **argv) {
  long rounds = atol(argv[1]), net = 0;
  for (long k = 0; k < rounds; k++) {
    int d[52];
    for (int i = 0; i < 52; i++) d[i] = i;
    for (int i = 0; i < 9; i++) { int j = i + draw(52 - i), t = d[i]; d[i] = d[j]; d[j] = t; }
    int p[7] = {d[0], d[1], d[4], d[5], d[6], d[7], d[8]};
    int q[7] = {d[2], d[3], d[4], d[5], d[6], d[7], d[8]};
    int a = d[0] >> 2, b = d[1] >> 2, high = a > b ? a : b, play = 0;
    if (a == b || high >= 10) play = 4;
    else for (int i = 4; i < 9; i++)
      if (d[i] >> 2 == a || d[i] >> 2 == b) { play = i < 7 ? 2 : 1; break; }
    int v = value(p), w = value(q);
    if (!play) { net -= 2; continue; }
    if (v > w) net += play + ((w >> 20) > 0);
    else if (v < w) net -= play + 1 + ((w >> 20) > 0);
  }
  printf("%ld\n", net);
  return 0;
}
