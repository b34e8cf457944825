// A verifiable shuffle, as docs/protocol.md describes it.
//
// The hash is our own: browsers give theirs to pages over HTTPS only, and not at once.

import { randomBytes } from './random.js';

const NO_SEED = '-';
const encoder = new TextEncoder();

/** The first 32 bits of the fractional parts of some roots. @param {number} count @param {(n: number) => number} root */
const fractions = (count, root) => Uint32Array.from(primes(count), (prime) => (root(prime) % 1) * 2 ** 32);

/** @param {number} count */
function primes(count) {
  /** @type {number[]} */
  const found = [];
  for (let n = 2; found.length < count; n += 1) if (found.every((prime) => n % prime)) found.push(n);
  return found;
}

const START = fractions(8, Math.sqrt);
const ROUNDS = fractions(64, Math.cbrt);

/** @param {number} word @param {number} by */
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** SHA-256. @param {Uint8Array | string} content @returns {Uint8Array} */
export function sha256(content) {
  const bytes = typeof content === 'string' ? encoder.encode(content) : content;
  const padded = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64));
  new Uint8Array(padded.buffer).set(bytes);
  padded.setUint8(bytes.length, 0x80);
  padded.setBigUint64(padded.byteLength - 8, 8n * BigInt(bytes.length));
  const state = START.slice(), words = new Uint32Array(64);
  for (let block = 0; block < padded.byteLength; block += 64) {
    for (let i = 0; i < 16; i += 1) words[i] = padded.getUint32(block + 4 * i);
    stir(state, words);
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, place) => digest.setUint32(4 * place, word));
  return new Uint8Array(digest.buffer);
}

/** One block, whose 16 words are given, into the state. @param {Uint32Array} state @param {Uint32Array} words */
function stir(state, words) {
  for (let i = 16; i < 64; i += 1) {
    const a = words[i - 15], b = words[i - 2];
    const low = turned(a, 7) ^ turned(a, 18) ^ (a >>> 3), high = turned(b, 17) ^ turned(b, 19) ^ (b >>> 10);
    words[i] = words[i - 16] + low + words[i - 7] + high;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const high = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25), low = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const one = (h + high + ((e & f) ^ (~e & g)) + ROUNDS[i] + words[i]) | 0;
    const two = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, place) => { state[place] += value; });
}

/** @param {Uint8Array} bytes */
export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** @param {string} digits an even number of them */
export const unhex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));

export const newSecret = () => hex(randomBytes(32));

/** What is shown of a secret before the first card. @param {string} secret */
export const commitmentOf = (secret) => hex(sha256(secret));

/** The key of a match. @param {string} secret @param {(string | null)[]} seeds by seat */
export function keyOf(secret, seeds) {
  const lines = ['lastcard 1', secret, ...seeds.map((seed) => seed ?? NO_SEED)];
  return sha256(lines.map((line) => `${line}\n`).join(''));
}
