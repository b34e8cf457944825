// Sounds, made here: paper, wood and a few notes. And the short buzz of a phone in the hand.
//
// A browser plays nothing before somebody has touched the page; from then on sounds are on, unless muted.

import { get, reducedMotion } from './settings.js';

/** @type {AudioContext | null} */
let context = null;
const touched = () => navigator.userActivation?.hasBeenActive ?? true;

/** @typedef {(audio: AudioContext, at: number) => void} Noise */

/** @type {Record<import('../types').Sound, Noise>} */
const SOUNDS = {
  card: (audio, at) => paper(audio, at, 0.09, 2600),
  draw: (audio, at) => paper(audio, at, 0.13, 1700),
  deal: (audio, at) => times(6, (n) => paper(audio, at + n * 0.055, 0.06, 2000 + 120 * n)),
  sweep: (audio, at) => times(3, (n) => paper(audio, at + n * 0.05, 0.16, 1500 - 250 * n)),
  knock: (audio, at) => tone(audio, at, 170, 0.09, 'sine', 0.5),
  dice: (audio, at) => times(4, (n) => paper(audio, at + n * 0.07, 0.04, 3600 + 300 * n)),
  turn: (audio, at) => [784, 988].forEach((f, n) => tone(audio, at + n * 0.07, f, 0.1, 'sine', 0.1)),
  attack: (audio, at) => [196, 185, 147].forEach((f, n) => tone(audio, at + n * 0.09, f, 0.16, 'sawtooth', 0.12)),
  rise: (audio, at) => [523, 659, 784].forEach((f, n) => tone(audio, at + n * 0.08, f, 0.16, 'triangle', 0.25)),
  count: (audio, at) => tone(audio, at, 880, 0.05, 'triangle', 0.12),
  reaction: (audio, at) => [659, 880].forEach((f, n) => tone(audio, at + n * 0.05, f, 0.08, 'sine', 0.15)),
  win: (audio, at) => [523, 659, 784, 1047].forEach((f, n) => tone(audio, at + n * 0.12, f, 0.25, 'triangle', 0.25)),
  lose: (audio, at) => [392, 349, 330].forEach((f, n) => tone(audio, at + n * 0.16, f, 0.28, 'sine', 0.2)),
};

/** @param {import('../types').Sound | null} sound */
export function playSound(sound) {
  if (!sound || !touched() || !get().sound || document.hidden) return;
  context ??= new AudioContext();
  if (context.state === 'suspended') context.resume();
  SOUNDS[sound](context, context.currentTime);
}

/** Phones buzz when it is one's turn; a browser allows it once somebody has touched the page. */
export function buzz() {
  if (touched() && get().sound && !reducedMotion() && !document.hidden) navigator.vibrate?.(40);
}

/** @param {number} n @param {(n: number) => void} work */
const times = (n, work) => Array.from({ length: n }, (_, one) => work(one));

/**
 * A rustle: noise through a filter.
 * @param {AudioContext} audio
 * @param {number} at
 * @param {number} length
 * @param {number} pitch
 */
function paper(audio, at, length, pitch) {
  const source = audio.createBufferSource(), filter = audio.createBiquadFilter(), volume = audio.createGain();
  source.buffer = noise(audio);
  filter.type = 'bandpass';
  filter.frequency.value = pitch;
  volume.gain.setValueAtTime(0.5, at);
  volume.gain.exponentialRampToValueAtTime(0.005, at + length);
  source.connect(filter).connect(volume).connect(audio.destination);
  source.start(at, 0, length);
}

/** @type {AudioBuffer | null} */
let rustle = null;

/** Made once: it is cut to length by its volume. @param {AudioContext} audio */
function noise(audio) {
  if (rustle) return rustle;
  rustle = audio.createBuffer(1, Math.ceil(audio.sampleRate * 0.2), audio.sampleRate);
  const samples = rustle.getChannelData(0);
  for (let n = 0; n < samples.length; n++) samples[n] = Math.random() * 2 - 1;
  return rustle;
}

/**
 * @param {AudioContext} audio
 * @param {number} at
 * @param {number} pitch
 * @param {number} length
 * @param {OscillatorType} type
 * @param {number} loud
 */
function tone(audio, at, pitch, length, type, loud) {
  const source = audio.createOscillator(), volume = audio.createGain();
  source.type = type;
  source.frequency.value = pitch;
  volume.gain.setValueAtTime(loud, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + length);
  source.connect(volume).connect(audio.destination);
  source.start(at);
  source.stop(at + length);
}
