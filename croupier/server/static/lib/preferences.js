// Display preferences (theme, deck colors, sound), stored in this browser.

const VALUES = { theme: ["auto", "light", "dark"], deck: ["two", "four"], sound: ["off", "on"] };

function current(name) {
  const stored = localStorage.getItem(`croupier.${name}`);
  return VALUES[name].includes(stored) ? stored : VALUES[name][0];
}

function apply(name) {
  document.documentElement.dataset[name] = current(name);
  const button = name === "sound" && document.querySelector("[data-preference=sound]");
  if (button) button.setAttribute("aria-pressed", String(current(name) === "on"));
}

for (const name of Object.keys(VALUES)) apply(name);

addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-preference]");
  if (!button) return;
  const name = button.dataset.preference;
  const values = VALUES[name];
  const next = values[(values.indexOf(current(name)) + 1) % values.length];
  localStorage.setItem(`croupier.${name}`, next);
  apply(name);
  button.title = `${name}: ${next}`;
});
