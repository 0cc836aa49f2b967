// Dates and times of this computer, in one format.

const TIME = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" };

export function dayText(moment) {
  return new Date(moment).toLocaleDateString("sv-SE"); // 2026-11-19
}

export function timeText(moment) {
  return new Date(moment).toLocaleTimeString("en-US", TIME); // 20:51:07
}
