// What a table derives from its one secret: the secrets of its matches, and the tokens of its seats.

import { hex, sha256, unhex } from './shuffle.js';

const BLOCK = 64; // bytes that SHA-256 takes at a time
const encoder = new TextEncoder();

/** HMAC-SHA-256. @param {Uint8Array} key at most a block long @param {string} message */
export function hmac(key, message) {
  /** @param {number} by */
  const padded = (by) => Uint8Array.from({ length: BLOCK }, (_, place) => (key[place] ?? 0) ^ by);
  /** @param {Uint8Array} head @param {Uint8Array} tail */
  const hashed = (head, tail) => {
    const whole = new Uint8Array(head.length + tail.length);
    whole.set(head);
    whole.set(tail, head.length);
    return sha256(whole);
  };
  return hashed(padded(0x5c), hashed(padded(0x36), encoder.encode(message)));
}

/** Each match has its own secret, which tells nothing about the others. @param {string} secret the table's @param {number} number */
export const matchSecret = (secret, number) => hex(hmac(unhex(secret), `match ${number}`));

/** Everybody at a table on the device sits in front of it: their tokens can always be made again. @param {string} secret @param {number} seat */
export const tokenOf = (secret, seat) => hex(hmac(unhex(secret), `here ${seat}`));

/** How a journal keeps a token. @param {string} token */
export const hashOf = (token) => hex(sha256(token));
