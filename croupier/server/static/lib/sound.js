// Table sounds, synthesized with Web Audio; off by default.

let context = null;

// Notes in hertz, played one after the other, or a burst of noise; later sounds take precedence.
const SOUNDS = {
  card: { noise: 0.045, pitch: 2600, gain: 0.16 },
  chip: { noise: 0.02, pitch: 5200, gain: 0.22, times: 2 },
  turn: { notes: [660], duration: 0.12, gain: 0.07 },
  win: { notes: [523, 659, 784], duration: 0.09, gain: 0.08 },
  jackpot: { notes: [523, 659, 784, 1047, 784, 1047, 1319], duration: 0.13, gain: 0.1 },
};
const EVENT_SOUNDS = {
  cards_dealt: "card",
  street_shown: "card",
  hand_turned: "card",
  wagers_placed: "chip",
  decided: "chip",
  meter_paid: "jackpot",
  envy_paid: "jackpot",
};

export function eventSound(event) {
  return EVENT_SOUNDS[event.kind] ?? "";
}

// Plays the most important of several simultaneous sounds.
export function playSound(names) {
  const name = Object.keys(SOUNDS).findLast((candidate) => names.includes(candidate));
  const enabled = document.documentElement.dataset.sound === "on";
  if (!name || !enabled || document.hidden) return;
  context ??= new AudioContext();
  const { notes = [], duration = 0, noise = 0, pitch = 0, gain, times = 1 } = SOUNDS[name];
  const start = context.currentTime + 0.01;
  notes.forEach((hertz, index) => playTone(hertz, start + index * duration, duration * 1.6, gain));
  if (noise)
    for (let index = 0; index < times; index += 1)
      playNoise(start + index * 0.06, noise, pitch, gain);
}

function fadeOut(start, duration, gain) {
  const volume = context.createGain();
  volume.gain.setValueAtTime(gain, start);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + duration);
  volume.connect(context.destination);
  return volume;
}

function playTone(hertz, start, duration, gain) {
  const oscillator = context.createOscillator();
  oscillator.type = "triangle";
  oscillator.frequency.value = hertz;
  oscillator.connect(fadeOut(start, duration, gain));
  oscillator.start(start);
  oscillator.stop(start + duration);
}

function playNoise(start, duration, pitch, gain) {
  const samples = context.createBuffer(
    1,
    Math.ceil(context.sampleRate * duration),
    context.sampleRate,
  );
  const data = samples.getChannelData(0);
  for (let index = 0; index < data.length; index += 1) data[index] = Math.random() * 2 - 1;
  const source = context.createBufferSource();
  source.buffer = samples;
  const filter = context.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = pitch;
  source.connect(filter).connect(fadeOut(start, duration, gain));
  source.start(start);
}
