// A worker that thinks for bots. It is given hidden records only, so there is nothing that it could give away.

import { Engine } from './engine.js';
import { Space } from './search.js';

/** @typedef {import('./types').Facts} Facts */

/** By game. @type {Map<string, Space>} */
const spaces = new Map();

/** The one that thinks now. @type {Space | null} */
let thinking = null;

/** What this worker does when asked. */
const WORK = {
  /** @param {{module: WebAssembly.Module, facts: Facts, seed: bigint, trained: import('./network.js').Trained | null}} given */
  async open({ module, facts, seed, trained }) {
    spaces.set(facts.game, new Space(await Engine.load(module, facts), seed, trained));
  },

  /** @param {{game: string, hidden: Uint8Array, seat: number, actions: number[], manner: import('./search.js').Manner}} given */
  begin({ game, hidden, seat, actions, manner }) {
    thinking = spaces.get(game) ?? null;
    if (!thinking) throw new Error('There is nothing to think about.');
    return thinking.begin(hidden, seat, actions, manner);
  },

  /** @param {{alive: Uint8Array, worlds: number}} given */
  sample({ alive, worlds }) {
    if (!thinking) throw new Error('There is nothing to think about.');
    return thinking.sample(alive, worlds);
  },
};

/** @param {MessageEvent<{ask: number, work: keyof typeof WORK, given: any}>} event */
async function answer({ data: { ask, work, given } }) {
  try {
    postMessage({ answer: ask, found: await WORK[work](given) });
  } catch (problem) {
    postMessage({ answer: ask, problem: String(problem) });
  }
}

addEventListener('message', answer);
