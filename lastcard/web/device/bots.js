// Bots that do not look ahead, and what all bots are made of. A bot sees the hidden record of its seat and no more.

import { randomBytes } from './random.js';
import { sha256 } from './shuffle.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./types').Rng} Rng */

const CARE = 16; // an easy bot overlooks an action with probability (other actions)/CARE, at most 1/2

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
 * By the policy, but actions are overlooked, as people do: more of them when there are many.
 * @type {typeof decideNormally}
 */
export function decideEasily(engine, hidden, seat, legal, rng) {
  const others = Math.min(legal.length - 1, CARE / 2);
  const seen = legal.filter(() => randomBelow(rng, CARE) >= others);
  const noticed = seen.length ? seen : legal;
  const action = decideNormally(engine, hidden, seat, noticed, rng);
  return action < 0 || legal.includes(action) ? action : noticed[0];
}
