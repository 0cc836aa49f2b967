// Light or dark, two or four colours, sound or none: remembered by this browser alone.

const CHOICES = { theme: ["auto", "light", "dark"], deck: ["two", "four"], sound: ["off", "on"] };

function chosen(name) {
  const kept = localStorage.getItem(`croupier.${name}`);
  return CHOICES[name].includes(kept) ? kept : CHOICES[name][0];
}

function show(name) {
  document.documentElement.dataset[name] = chosen(name);
  const button = name === "sound" && document.querySelector("[data-look=sound]");
  if (button) button.setAttribute("aria-pressed", String(chosen(name) === "on"));
}

for (const name of Object.keys(CHOICES)) show(name);

addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-look]");
  if (!button) return;
  const name = button.dataset.look;
  const values = CHOICES[name];
  const next = values[(values.indexOf(chosen(name)) + 1) % values.length];
  localStorage.setItem(`croupier.${name}`, next);
  show(name);
  button.title = `${name}: ${next}`;
});
