// A bot for all games that searches: it guesses what it cannot see, over and over, and plays on.
//
// The engine plays (lastcard/bots/playouts.py says how); here is how long, and what is made of it. The same seeds and
// playouts give the same judgements as on a server with as many threads as there are spaces.

import { newRng } from './bots.js';
import { NOBODY } from './engine.js';
import { Network, noNetwork } from './network.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./types').Judgement} Judgement */
/** How long to think: milliseconds, or playouts. @typedef {{ms: number} | {playouts: number}} Budget */
/** What the actions were worth. @typedef {{played: number, sums: Float64Array, squares: Float64Array}} Tally */

const TREE = 0, POLICY = 1; // how seats choose in playouts
const WAYS = ['tree', 'policy', 'network', 'drawn', 'guided'];
const FAR = 1000000; // choices: playouts go on to the end of the round
const FEWEST = 2; // actions that are tried, however little the network likes them
const RECORDS = 3; // a world, the playout in it, and what a seat sees of the playout
const MOST_NODES = 1 << 17; // of a tree
const FIRST_WORLDS = 8; // worlds per space in the first batch
const GROWTH = 4; // each later batch adds 1/GROWTH of the worlds so far
const SURE_AFTER = 24; // worlds before any action is dropped
export const DOUBT = 2.5; // standard errors within which an action may still be better
const SLIGHT = 0.002; // a difference in the chance to win that is not worth more search
export const CAREFUL = 4; // DOUBT for hints, which have time to be right

/**
 * How seats choose in playouts, and what search takes from a network: own choices in a playout after which the network
 * foresees how it ends; the weight of how much it likes an action; what it is less likely to choose is left out; guesses
 * of which each world is drawn, by how likely they are.
 * @typedef {{way: number, reach: number, trust: number, least: number, belief: number}} Manner
 */

/** Reads `network:reach=1:trust=0.02`; without anything, what does better in the game. @param {string} text @param {Engine} engine @param {number} players @returns {Manner} */
export function readManner(text, { facts }, players) {
  const [way, ...settings] = text.split(':');
  const manner = { way: way ? WAYS.indexOf(way) : players > facts.tree_up_to ? POLICY : TREE, reach: FAR, trust: 0, least: 0, belief: 0 };
  return { ...manner, ...Object.fromEntries(settings.map((one) => one.split('=')).map(([name, value]) => [name, Number(value)])) };
}

/** @param {Manner} manner */
export const isByNetwork = ({ way, reach, trust, least, belief }) => way > POLICY || reach < FAR || trust > 0 || least > 0 || belief > 0;

/** Room in an engine for what the actions were worth. */
class Ledger {
  /** @param {Engine} engine */
  constructor(engine) {
    const most = engine.facts.dimensions.most_legal + 1; // to do nothing is one more
    this.engine = engine;
    this.alive = engine.reserve(most);
    this.values = engine.reserve(8 * most);
    this.sums = engine.reserve(8 * most);
    this.squares = engine.reserve(8 * most * most);
  }

  /** @param {number} at @param {number} count */
  numbers(at, count) {
    return new Float64Array(this.engine.bytes.buffer, at, count);
  }

  /** @param {number} n */
  clear(n) {
    for (const [at, count] of [[this.values, n], [this.sums, n], [this.squares, n * n]]) {
      this.numbers(at, count).fill(0);
    }
  }

  /**
   * Drops actions that cannot be much better than the best so far.
   * @param {Uint8Array} alive
   * @param {number} worlds
   * @param {Tally} tally
   * @param {number} doubt
   */
  narrow(alive, worlds, { sums, squares }, doubt) {
    const n = alive.length, { engine } = this;
    engine.bytes.set(alive, this.alive);
    this.numbers(this.sums, n).set(sums);
    this.numbers(this.squares, n * n).set(squares);
    engine.call.narrow(this.alive, BigInt(n), BigInt(worlds), this.sums, this.squares, doubt, SLIGHT);
    alive.set(engine.bytes.subarray(this.alive, this.alive + n));
  }
}

/** @type {WeakMap<Engine, Ledger>} */
const ledgers = new WeakMap();

/** An engine's ledger for judging, apart from those of spaces. @param {Engine} engine */
function ledgerOf(engine) {
  const known = ledgers.get(engine) ?? new Ledger(engine);
  ledgers.set(engine, known);
  return known;
}

/** What one thread works with: room for playouts, and its tally. */
export class Space {
  /** @param {Engine} engine @param {bigint} seed @param {import('./network.js').Trained | null} [trained] */
  constructor(engine, seed, trained = null) {
    const { dimensions, layouts } = engine.facts;
    this.engine = engine;
    this.ledger = new Ledger(engine);
    this.hidden = engine.reserve(engine.size);
    this.actions = engine.reserve(2 * (dimensions.most_legal + 1));
    this.records = engine.reserve(RECORDS * engine.size);
    this.legal = engine.reserve(2 * dimensions.most_legal);
    this.rng = engine.reserve(8);
    this.deal = engine.reserve(layouts.deal.size);
    this.tree = engine.reserve(MOST_NODES * layouts.node.size);
    this.places = engine.reserve(4 * dimensions.actions);
    this.seat = 0;
    this.manner = readManner('', engine, 0);
    this.network = trained ? new Network(engine, trained.sizes, trained.content, trained.belief) : null;
    this.networks = this.network?.searching ?? noNetwork(engine);
    new BigUint64Array(engine.bytes.buffer, this.rng, 1).set(newRng(seed));
  }

  /**
   * How much the network likes each action, as a logarithm; 0 where it is not asked.
   * @param {Uint8Array} hidden
   * @param {number} seat
   * @param {number[]} actions
   * @param {Manner} manner
   */
  begin(hidden, seat, actions, manner) {
    const { engine, ledger } = this, count = BigInt(actions.length);
    ledger.clear(actions.length);
    engine.bytes.set(hidden, this.hidden);
    engine.shorts(this.actions, actions.length).set(actions);
    this.seat = seat;
    this.manner = manner;
    engine.call.plant(this.tree, BigInt(MOST_NODES), BigInt(seat), count);
    if (this.network && isByNetwork(manner)) {
      engine.call.favour(this.hidden, BigInt(seat), this.actions, count, ...this.network.arguments, ledger.values);
    }
    return ledger.numbers(ledger.values, actions.length).slice();
  }

  /** Tries actions that are alive in some worlds. @param {Uint8Array} alive @param {number} worlds @returns {Tally} */
  sample(alive, worlds) {
    const { engine, ledger } = this, n = alive.length;
    ledger.clear(n);
    engine.bytes.set(alive, ledger.alive);
    const played = engine.call.sample(
      this.hidden, BigInt(this.seat), this.actions, BigInt(n), ledger.alive, BigInt(worlds), 1n,
      BigInt(this.manner.belief), BigInt(this.manner.way), BigInt(this.manner.reach),
      this.records, this.legal, 0, 0n, this.rng, this.deal, this.tree, BigInt(MOST_NODES), this.places, ...this.networks,
      ledger.values, ledger.sums, ledger.squares,
    );
    const copied = (/** @type {number} */ at, /** @type {number} */ count) => ledger.numbers(at, count).slice();
    return { played: Number(played), sums: copied(ledger.sums, n), squares: copied(ledger.squares, n * n) };
  }
}

/** One decision as it is thought over, batch by batch: how many worlds come next, and what is known so far. */
export class Judging {
  /**
   * @param {Engine} engine
   * @param {Uint8Array} hidden
   * @param {number} seat
   * @param {{spaces: number, budget: Budget, manner: Manner, doubt?: number | undefined}} how
   */
  constructor(engine, hidden, seat, { spaces, budget, manner, doubt = DOUBT }) {
    const legal = engine.legal(hidden, seat), waited = (engine.waiting(hidden) >> seat) & 1;
    this.actions = waited ? legal : [...legal, NOBODY];
    const n = this.actions.length;
    this.engine = engine;
    this.spaces = spaces;
    this.budget = budget;
    this.manner = manner;
    this.doubt = doubt;
    this.alive = new Uint8Array(n).fill(1);
    this.favours = new Float64Array(n);
    this.tried = new Array(n).fill(0);
    /** @type {Tally} */
    this.tally = { played: 0, sums: new Float64Array(n), squares: new Float64Array(n * n) };
    this.worlds = 0;
    this.started = performance.now();
  }

  /** Leaves out what the network would hardly choose. @param {Float64Array} favours what a space found when it began */
  begin(favours) {
    const { least, trust } = this.manner;
    this.favours = favours.map((one) => one * trust);
    if (!least) return;
    const order = [...favours.keys()].sort((a, b) => favours[b] - favours[a] || a - b);
    order.forEach((place, rank) => { this.alive[place] = Number(rank < FEWEST || favours[place] >= Math.log(least)); });
  }

  get choices() {
    return this.alive.reduce((sum, one) => sum + one, 0);
  }

  /** The worlds for each space in the next batch; 0 once there is nothing more to find out. */
  next() {
    const { budget, choices, worlds, spaces } = this;
    if (choices === 1 && this.actions.length > 1) return 0;
    const step = Math.max(FIRST_WORLDS, Math.floor(Math.floor(worlds / spaces) / GROWTH));
    if ('playouts' in budget) {
      const left = Math.floor((budget.playouts - this.tally.played) / (choices * spaces));
      return Math.max(Math.min(step, left), worlds ? 0 : 1);
    }
    if (!worlds) return Math.min(step, 2);
    const passed = performance.now() - this.started;
    const each = (passed / this.tally.played) * choices * spaces;
    return Math.min(step, Math.trunc((budget.ms - passed) / each));
  }

  /** What the spaces found in a batch. @param {number} step @param {Tally[]} tallies */
  add(step, tallies) {
    const { tally } = this;
    this.worlds += step * tallies.length;
    this.alive.forEach((one, place) => { if (one) this.tried[place] = this.worlds; });
    for (const { played, sums, squares } of tallies) {
      tally.played += played;
      for (let i = 0; i < sums.length; i += 1) tally.sums[i] += sums[i];
      for (let i = 0; i < squares.length; i += 1) tally.squares[i] += squares[i];
    }
    if (this.worlds < SURE_AFTER) return;
    const sums = tally.sums.map((one, place) => one + this.worlds * this.favours[place]);
    ledgerOf(this.engine).narrow(this.alive, this.worlds, { ...tally, sums }, this.doubt);
  }

  /** Everything that the seat may do, best first. @returns {Judgement[]} */
  judgements() {
    const n = this.actions.length, { sums, squares } = this.tally;
    return this.actions.map((action, place) => {
      const worlds = this.tried[place], chance = sums[place] / worlds;
      const spread = Math.max(squares[place * n + place] / worlds - chance * chance, 0);
      return { place, worth: chance + this.favours[place], judged: { action, chance, error: Math.sqrt(spread / worlds), worlds } };
    }).filter(({ judged }) => judged.worlds).sort((a, b) => this.alive[b.place] - this.alive[a.place]
      || b.worth - a.worth || a.place - b.place).map(({ judged }) => judged);
  }
}

/**
 * The same in one go, where nobody waits: all spaces in one thread.
 * @param {Space[]} spaces
 * @param {Uint8Array} hidden
 * @param {number} seat
 * @param {{budget: Budget, manner: Manner, doubt?: number}} how
 */
export function judge(spaces, hidden, seat, how) {
  const [{ engine }] = spaces;
  const judging = new Judging(engine, hidden, seat, { ...how, spaces: spaces.length });
  const [favours] = spaces.map((space) => space.begin(hidden, seat, judging.actions, how.manner));
  judging.begin(favours);
  for (let step = judging.next(); step > 0; step = judging.next()) {
    judging.add(step, spaces.map((space) => space.sample(judging.alive, step)));
  }
  return judging.judgements();
}
