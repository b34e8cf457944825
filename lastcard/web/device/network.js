// A trained network: what a self-taught bot thinks of its actions. The engine works it out (lastcard/bots/network.py),
// in whole numbers, so that bots on a device choose what they choose on a server.

import { NOBODY } from './engine.js';

/** @typedef {import('./engine.js').Engine} Engine */

const ONE = 1024; // what 1.0 is in whole numbers

/**
 * Its layers' sizes; biases, factors and weights; and how likely worlds are, if that was trained.
 * @typedef {{sizes: number[], content: Uint8Array, belief?: Trained | null}} Trained
 */

/** A network in the memory of an engine. */
export class Network {
  /**
   * @param {Engine} engine
   * @param {number[]} sizes of its layers
   * @param {Uint8Array} content biases, factors and weights
   * @param {Trained | null} [belief]
   */
  constructor(engine, sizes, content, belief = null) {
    const units = sizes.slice(1).reduce((sum, one) => sum + one, 0);
    const weights = sizes.slice(1).reduce((sum, one, layer) => sum + one * sizes[layer], 0);
    if (content.length !== 8 * units + weights) throw new RangeError(`not a network of ${engine.facts.game}`);
    const widest = Math.max(...sizes, ...(belief?.sizes ?? []));
    this.engine = engine;
    /** As it came, for other workers. */
    this.trained = { sizes, content, belief };
    this.actions = engine.actions.length;
    this.out = engine.reserve(4 * widest);
    const first = engine.reserve(4 * sizes.length), there = engine.reserve(4 * widest);
    const lit = engine.reserve(4 * widest);
    const all = engine.reserve(content.length), seen = engine.reserve(4 * sizes[0]);
    new Int32Array(engine.bytes.buffer, first, sizes.length).set(sizes);
    engine.bytes.set(content, all);
    const [layers, many] = [sizes.length, weights].map(BigInt);
    const net = [first, layers, all + 8 * units, many, all, BigInt(units), all + 4 * units];
    const work = [seen, this.out, BigInt(widest), there, lit];
    /** What the engine's functions take. @type {(number | bigint)[]} */
    this.arguments = [...net, ...work];
    /** The same for search. @type {(number | bigint)[]} */
    this.searching = [...net, ...believed(engine, belief), ...work];
  }

  /**
   * The best of a seat's legal actions, the first of equal ones; NOBODY if it may wait, and that is better.
   * @param {Uint8Array} hidden
   * @param {number} seat
   * @param {number[]} legal
   */
  choose(hidden, seat, legal) {
    const best = this._best(this._choices(hidden, seat, legal), this.engine.weigh(hidden, seat, this));
    return best === this.actions ? NOBODY : best;
  }

  /**
   * All that a seat may do, and how likely it would be; best first.
   * @param {Uint8Array} hidden
   * @param {number} seat
   * @param {number[]} legal
   * @returns {import('./types').Opinion[]}
   */
  opinions(hidden, seat, legal) {
    const choices = this._choices(hidden, seat, legal), scores = this.engine.weigh(hidden, seat, this);
    const most = scores[this._best(choices, scores)];
    const odds = choices.map((one) => Math.exp((scores[one] - most) / ONE)), sum = odds.reduce((sum, one) => sum + one);
    return choices.map((one, i) => ({ action: one, liking: odds[i] / sum }))
      .sort((one, other) => other.liking - one.liking || one.action - other.action)
      .map(({ action, liking }) => ({ action: action === this.actions ? NOBODY : action, liking }));
  }

  /** What a seat can choose from; who is not waited for can wait. @param {Uint8Array} hidden @param {number} seat @param {number[]} legal */
  _choices(hidden, seat, legal) {
    return (this.engine.waiting(hidden) >> seat) & 1 ? legal : [...legal, this.actions];
  }

  /** The first of equal ones. @param {number[]} choices @param {Int32Array} scores */
  _best(choices, scores) {
    return choices.reduce((best, one) => (scores[one] > scores[best] ? one : best));
  }
}

/**
 * A belief in the memory of an engine: how likely worlds are.
 * @param {Engine} engine
 * @param {Trained | null | undefined} trained
 */
function believed(engine, trained) {
  const { sizes, content } = trained ?? { sizes: [0], content: new Uint8Array(8) };
  const units = sizes.slice(1).reduce((sum, one) => sum + one, 0);
  const first = engine.reserve(4 * sizes.length), all = engine.reserve(content.length);
  new Int32Array(engine.bytes.buffer, first, sizes.length).set(sizes);
  engine.bytes.set(content, all);
  const weights = trained ? content.length - 8 * units : 0;
  return [first, BigInt(sizes.length), all + 8 * units, BigInt(weights), all, BigInt(units), all + 4 * units];
}

/** In the place of a network where there is none, for search. @param {Engine} engine @returns {(number | bigint)[]} */
export function noNetwork(engine) {
  const zeros = engine.reserve(8);
  return [zeros, 1n, zeros, 0n, zeros, 0n, zeros, ...believed(engine, null), zeros, zeros, 0n, zeros, zeros];
}
