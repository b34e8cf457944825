// Sounds, made here: paper, a knock, a small rise. Off until somebody wants them.

import { get } from './settings.js';

/** @type {AudioContext | null} */
let context = null;

/** @param {import('../types').Sound | null} sound */
export function play(sound) {
  if (!sound || !get().sound || document.hidden) return;
  context ??= new AudioContext();
  if (context.state === 'suspended') context.resume();
  const now = context.currentTime;
  switch (sound) {
    case 'card': paper(context, now, 0.09, 2600); break;
    case 'draw': paper(context, now, 0.13, 1700); break;
    case 'knock': tone(context, now, 170, 0.09, 'sine', 0.5); break;
    case 'dice': for (let n = 0; n < 4; n++) paper(context, now + n * 0.07, 0.04, 3600 + 300 * n); break;
    case 'rise': [523, 659, 784].forEach((f, n) => tone(context, now + n * 0.08, f, 0.16, 'triangle', 0.25)); break;
    case 'win': [523, 659, 784, 1047].forEach((f, n) => tone(context, now + n * 0.12, f, 0.25, 'triangle', 0.25)); break;
  }
}

/**
 * A rustle: noise through a filter.
 * @param {AudioContext} audio
 * @param {number} at
 * @param {number} length
 * @param {number} pitch
 */
function paper(audio, at, length, pitch) {
  const noise = audio.createBuffer(1, Math.ceil(audio.sampleRate * length), audio.sampleRate);
  const samples = noise.getChannelData(0);
  for (let n = 0; n < samples.length; n++) samples[n] = (Math.random() * 2 - 1) * (1 - n / samples.length) ** 2;
  const source = audio.createBufferSource(), filter = audio.createBiquadFilter(), volume = audio.createGain();
  source.buffer = noise;
  filter.type = 'bandpass';
  filter.frequency.value = pitch;
  volume.gain.value = 0.5;
  source.connect(filter).connect(volume).connect(audio.destination);
  source.start(at);
}

/**
 * @param {AudioContext | null} audio
 * @param {number} at
 * @param {number} pitch
 * @param {number} length
 * @param {OscillatorType} type
 * @param {number} loud
 */
function tone(audio, at, pitch, length, type, loud) {
  if (!audio) return;
  const source = audio.createOscillator(), volume = audio.createGain();
  source.type = type;
  source.frequency.value = pitch;
  volume.gain.setValueAtTime(loud, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + length);
  source.connect(volume).connect(audio.destination);
  source.start(at);
  source.stop(at + length);
}
