// Sounds of a table, made here from plain waves and noise: off until the one who plays turns them on.

let context = null;

// What each sound is: notes in hertz, one after the other, or a burst of noise as a card makes one.
const SOUNDS = {
  card: { noise: 0.045, high: 2600, gain: 0.16 },
  chip: { noise: 0.02, high: 5200, gain: 0.22, times: 2 },
  turn: { notes: [660], long: 0.12, gain: 0.07 },
  win: { notes: [523, 659, 784], long: 0.09, gain: 0.08 },
  jackpot: { notes: [523, 659, 784, 1047, 784, 1047, 1319], long: 0.13, gain: 0.1 },
};
const EVENTS = { cards_dealt: "card", street_shown: "card", hand_turned: "card", wagers_placed: "chip", decided: "chip", meter_paid: "jackpot", envy_paid: "jackpot" };

export const wanted = () => document.documentElement.dataset.sound === "on";

export function soundOf(event) {
  return EVENTS[event.kind] ?? "";
}

// The most that is worth hearing of what came at once.
export function sound(names) {
  const name = Object.keys(SOUNDS).findLast((each) => names.includes(each));
  if (!name || !wanted() || document.hidden) return;
  context ??= new AudioContext();
  const { notes = [], long = 0, noise = 0, high = 0, gain, times = 1 } = SOUNDS[name];
  const now = context.currentTime + 0.01;
  notes.forEach((hertz, index) => tone(hertz, now + index * long, long * 1.6, gain));
  if (noise) for (let index = 0; index < times; index += 1) burst(now + index * 0.06, noise, high, gain);
}

function fading(from, long, gain) {
  const volume = context.createGain();
  volume.gain.setValueAtTime(gain, from);
  volume.gain.exponentialRampToValueAtTime(0.0001, from + long);
  volume.connect(context.destination);
  return volume;
}

function tone(hertz, from, long, gain) {
  const wave = context.createOscillator();
  wave.type = "triangle";
  wave.frequency.value = hertz;
  wave.connect(fading(from, long, gain));
  wave.start(from);
  wave.stop(from + long);
}

function burst(from, long, high, gain) {
  const samples = context.createBuffer(1, Math.ceil(context.sampleRate * long), context.sampleRate);
  const data = samples.getChannelData(0);
  for (let index = 0; index < data.length; index += 1) data[index] = Math.random() * 2 - 1;
  const source = context.createBufferSource();
  source.buffer = samples;
  const filter = context.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = high;
  source.connect(filter).connect(fading(from, long, gain));
  source.start(from);
}
