// Money formatting, and the chips that make up a stack.

export const CHIP_VALUES = [100, 500, 2500, 10000, 50000]; // cents
const STACK_LIMIT = 6;

export function dollars(cents) {
  const whole = Math.trunc(Math.abs(cents) / 100).toLocaleString("en-US");
  const rest = Math.abs(cents) % 100;
  return `${cents < 0 ? "−" : ""}$${whole}${rest ? `.${String(rest).padStart(2, "0")}` : ""}`;
}

export function signedDollars(cents) {
  return cents > 0 ? `+${dollars(cents)}` : dollars(cents);
}

export function limitsText([minimum, maximum]) {
  return maximum === null
    ? `from ${dollars(minimum)}`
    : `${dollars(minimum)} to ${dollars(maximum)}`;
}

// A meter is whole cents or an exact decimal; it is shown rounded down, as on a meter display.
export function meterCents(value) {
  return Math.floor(Number(value));
}

// The highest meter first, as on a meter display.
export function sortMeters(meters) {
  return Object.entries(meters).sort(
    ([, first], [, second]) => meterCents(second) - meterCents(first),
  );
}

export function meterText(cents) {
  const whole = Math.trunc(cents / 100).toLocaleString("en-US");
  return `$${whole}.${String(cents % 100).padStart(2, "0")}`;
}

// The chips drawn for an amount, highest first; a stack is never higher than STACK_LIMIT.
export function chipStack(cents) {
  const chips = [];
  let rest = cents;
  for (const value of [...CHIP_VALUES].reverse()) {
    while (rest >= value && chips.length < STACK_LIMIT) {
      chips.push(value);
      rest -= value;
    }
  }
  return chips.length ? chips : [CHIP_VALUES[0]];
}
