// Text helpers for names that come from the server.

export function capitalize(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// "pit_manager" -> "pit manager"
export function readable(name) {
  return name.replaceAll("_", " ");
}
