// Cents as people read them, and chips as they stack.

export const CHIPS = [100, 500, 2500, 10000, 50000];

export function dollars(cents) {
  const whole = Math.trunc(Math.abs(cents) / 100).toLocaleString("en-US");
  const rest = Math.abs(cents) % 100;
  return `${cents < 0 ? "−" : ""}$${whole}${rest ? `.${String(rest).padStart(2, "0")}` : ""}`;
}

export function signed(cents) {
  return cents > 0 ? `+${dollars(cents)}` : dollars(cents);
}

// A meter is whole cents or an exact decimal; what is shown is rounded down, as a sign would.
export function meterCents(value) {
  return Math.floor(Number(value));
}

// The highest first, as a sign lists them.
export function meters(values) {
  return Object.entries(values).sort(([, one], [, other]) => meterCents(other) - meterCents(one));
}

export function meterText(cents) {
  const whole = Math.trunc(cents / 100).toLocaleString("en-US");
  return `$${whole}.${String(cents % 100).padStart(2, "0")}`;
}

// The highest chips first, at most six of them: what a stack looks like.
export function stack(cents) {
  const found = [];
  let rest = cents;
  for (const chip of [...CHIPS].reverse()) {
    while (rest >= chip && found.length < 6) {
      found.push(chip);
      rest -= chip;
    }
  }
  return found.length ? found : [CHIPS[0]];
}
