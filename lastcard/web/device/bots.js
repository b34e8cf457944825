// Bots that do not look ahead, and what all bots are made of. A bot sees the hidden record of its seat and no more.

import { NOBODY } from './engine.js';
import { randomBytes } from './random.js';
import { sha256 } from './shuffle.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./types').Rng} Rng */

/** A generator from a seed of any size. Similar seeds give unrelated numbers. @param {bigint} seed @returns {Rng} */
export function newRng(seed) {
  const mixed = new DataView(sha256(String(seed)).buffer);
  return new BigUint64Array([mixed.getBigUint64(0, true) | 1n]); // never zero
}

/** A seed that nobody knows. */
export const newSeed = () => new DataView(randomBytes(8).buffer).getBigUint64(0, true);

/** A number below n: xorshift64, as the engine's own. @param {Rng} rng @param {number} n */
export function randomBelow(rng, n) {
  let x = rng[0];
  x ^= BigInt.asUintN(64, x << 13n);
  x ^= x >> 7n;
  x ^= BigInt.asUintN(64, x << 17n);
  rng[0] = x;
  return Number(((x >> 32n) * BigInt(n)) >> 32n);
}

/** @param {Engine} engine @param {Uint8Array} hidden @param {number} seat @param {number[]} legal @param {Rng} rng */
export const decideNormally = (engine, hidden, seat, legal, rng) => engine.choose(hidden, seat, legal, rng);

/**
 * By the policy, but in so many of a hundred choices it slips, as people do: it plays anything, or misses its chance to
 * act out of turn.
 * @param {Engine} engine @param {Uint8Array} hidden @param {number} seat @param {number[]} legal @param {Rng} rng
 * @param {number} slips
 */
export function decideEasily(engine, hidden, seat, legal, rng, slips) {
  if (randomBelow(rng, 100) >= slips) return decideNormally(engine, hidden, seat, legal, rng);
  return (engine.waiting(hidden) >> seat) & 1 ? legal[randomBelow(rng, legal.length)] : NOBODY;
}
