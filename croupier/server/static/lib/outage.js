// Why commands cannot be carried out now; empty if they can.

export function outageText(connected, unavailable, disabled) {
  if (connected === false) return "Connection lost. Reconnecting…";
  if (unavailable) return "The record cannot be written. Play continues when it can.";
  return disabled ?? "";
}
