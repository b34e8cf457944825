// Synthesized sounds: paper, wood and a few notes. And a short buzz for phones.
//
// Browsers play nothing until somebody has touched the page; from then on sound is on, unless muted.

import { get, reducedMotion } from './settings.js';

/** @type {AudioContext | null} */
let context = null;
const touched = () => navigator.userActivation?.hasBeenActive ?? true;

/** @typedef {(audio: AudioContext, start: number) => void} Noise */

/** @type {Record<import('../types').Sound, Noise>} */
const SOUNDS = {
  card: (audio, start) => paper(audio, start, 0.09, 2600),
  draw: (audio, start) => paper(audio, start, 0.13, 1700),
  deal: (audio, start) => times(6, (n) => paper(audio, start + n * 0.055, 0.06, 2000 + 120 * n)),
  sweep: (audio, start) => times(3, (n) => paper(audio, start + n * 0.05, 0.16, 1500 - 250 * n)),
  knock: (audio, start) => tone(audio, start, 170, 0.09, 'sine', 0.5),
  dice: (audio, start) => times(4, (n) => paper(audio, start + n * 0.07, 0.04, 3600 + 300 * n)),
  turn: (audio, start) => [784, 988].forEach((f, n) => tone(audio, start + n * 0.07, f, 0.1, 'sine', 0.1)),
  attack: (audio, start) => [196, 185, 147].forEach((f, n) => tone(audio, start + n * 0.09, f, 0.16, 'sawtooth', 0.12)),
  rise: (audio, start) => [523, 659, 784].forEach((f, n) => tone(audio, start + n * 0.08, f, 0.16, 'triangle', 0.25)),
  count: (audio, start) => tone(audio, start, 880, 0.05, 'triangle', 0.12),
  reaction: (audio, start) => [659, 880].forEach((f, n) => tone(audio, start + n * 0.05, f, 0.08, 'sine', 0.15)),
  win: (audio, start) => [523, 659, 784, 1047].forEach((f, n) => tone(audio, start + n * 0.12, f, 0.25, 'triangle', 0.25)),
  lose: (audio, start) => [392, 349, 330].forEach((f, n) => tone(audio, start + n * 0.16, f, 0.28, 'sine', 0.2)),
};

/** @param {import('../types').Sound | null} sound */
export function playSound(sound) {
  if (!sound || !touched() || !get().sound || document.hidden) return;
  context ??= new AudioContext();
  if (context.state === 'suspended') context.resume();
  SOUNDS[sound](context, context.currentTime);
}

/** Buzzes a phone, once somebody has touched the page. */
export function buzz() {
  if (touched() && get().sound && !reducedMotion() && !document.hidden) navigator.vibrate?.(40);
}

/** @param {number} n @param {(n: number) => void} work */
const times = (n, work) => Array.from({ length: n }, (_, one) => work(one));

/**
 * A rustle: filtered noise.
 * @param {AudioContext} audio
 * @param {number} start
 * @param {number} length
 * @param {number} pitch
 */
function paper(audio, start, length, pitch) {
  const source = audio.createBufferSource(), filter = audio.createBiquadFilter(), volume = audio.createGain();
  source.buffer = noise(audio);
  filter.type = 'bandpass';
  filter.frequency.value = pitch;
  volume.gain.setValueAtTime(0.5, start);
  volume.gain.exponentialRampToValueAtTime(0.005, start + length);
  source.connect(filter).connect(volume).connect(audio.destination);
  source.start(start, 0, length);
}

/** @type {AudioBuffer | null} */
let whiteNoise = null;

/** Made once; a fading volume cuts it to length. @param {AudioContext} audio */
function noise(audio) {
  if (whiteNoise) return whiteNoise;
  whiteNoise = audio.createBuffer(1, Math.ceil(audio.sampleRate * 0.2), audio.sampleRate);
  const samples = whiteNoise.getChannelData(0);
  for (let n = 0; n < samples.length; n++) samples[n] = Math.random() * 2 - 1;
  return whiteNoise;
}

/**
 * @param {AudioContext} audio
 * @param {number} start
 * @param {number} pitch
 * @param {number} length
 * @param {OscillatorType} type
 * @param {number} loud
 */
function tone(audio, start, pitch, length, type, loud) {
  const source = audio.createOscillator(), volume = audio.createGain();
  source.type = type;
  source.frequency.value = pitch;
  volume.gain.setValueAtTime(loud, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + length);
  source.connect(volume).connect(audio.destination);
  source.start(start);
  source.stop(start + length);
}
