// Display preferences (theme, deck colors, sound, clauses, view), stored in this browser.

// Players see clause numbers when they switch them on; staff may switch them off.
const forPlayers = document.body.classList.contains("player");
const CLAUSES = forPlayers ? "clauses" : "staff-clauses";
const VALUES = {
  theme: ["auto", "light", "dark"],
  deck: ["two", "four"],
  sound: ["off", "on"],
  clauses: forPlayers ? ["off", "on"] : ["on", "off"],
  view: ["seat", "table"],
};
const SWITCHES = { sound: "on", clauses: "on", view: "table" }; // the value of a pressed button

function storageKey(name) {
  return `croupier.${name === "clauses" ? CLAUSES : name}`;
}

function current(name) {
  const stored = localStorage.getItem(storageKey(name));
  return VALUES[name].includes(stored) ? stored : VALUES[name][0];
}

function apply(name) {
  document.documentElement.dataset[name] = current(name);
  const button = name in SWITCHES && document.querySelector(`[data-preference=${name}]`);
  if (button) button.setAttribute("aria-pressed", String(current(name) === SWITCHES[name]));
}

for (const name of Object.keys(VALUES)) apply(name);

addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-preference]");
  if (!button) return;
  const name = button.dataset.preference;
  const values = VALUES[name];
  const next = values[(values.indexOf(current(name)) + 1) % values.length];
  localStorage.setItem(storageKey(name), next);
  apply(name);
  button.title = `${name}: ${next}`;
});
