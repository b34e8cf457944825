// Bots decide here: simple ones at once, those that search in workers of their own, so that nothing waits for them.
// If workers fail, or take too long, the game's policy decides: a match goes on whatever happens.

import { decideEasily, newRng, newSeed } from './bots.js';
import { networkOf } from './engines.js';
import { CAREFUL, DOUBT, isByNetwork, Judging, readManner } from './search.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./types').Judgement} Judgement */
/** @typedef {Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror' | 'onmessageerror'>} Thread */

const SEARCH = /^search:(\d+)ms:?(.*)$/; // a bot that searches: for how long, and in which manner
const EASY = /^easy:(\d+)$/; // a bot that slips: in so many of a hundred choices
const HINT = 300; // ms
const MOST = 4; // thinkers
const GETTING_READY = 4000; // ms in which a worker must have loaded
const GRACE = 2000; // ms by which an answer may come later than the budget
const PATIENCE = 3; // failures in a row after which no more workers are started

const inWorker = () => new Worker(new URL('./thinker.js', import.meta.url), { type: 'module' });

/** One worker, as others see it. */
class Thinker {
  /** @param {Thread} thread @param {number} number which makes its luck its own */
  constructor(thread, number) {
    this.thread = thread;
    this.number = number;
    this.games = new Set();
    this.broken = false;
    this.asked = 0;
    /** Who waits for answers, by number. @type {Map<number, {resolve: (found: any) => void, reject: (problem: Error) => void}>} */
    this.waiting = new Map();
    thread.onmessage = ({ data }) => this._answered(data);
    thread.onerror = () => this.fail('it stopped');
    thread.onmessageerror = () => this.fail('it cannot be understood');
  }

  /** @param {string} work @param {unknown} given @param {number} within ms @returns {Promise<any>} */
  async ask(work, given, within) {
    const ask = (this.asked += 1);
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    try {
      return await new Promise((resolve, reject) => {
        this.waiting.set(ask, { resolve, reject });
        timer = setTimeout(() => reject(new Error('A thinker does not answer.')), within);
        this.thread.postMessage({ ask, work, given });
      });
    } catch (problem) {
      this.broken = true;
      throw problem;
    } finally {
      clearTimeout(timer);
      this.waiting.delete(ask);
    }
  }

  /** @param {Engine} engine @param {bigint} seed @param {import('./network.js').Trained | null} trained */
  async open({ module, facts }, seed, trained) {
    if (this.games.has(facts.game)) return;
    await this.ask('open', { module, facts, seed, trained }, GETTING_READY);
    this.games.add(facts.game);
  }

  /** @param {string} why */
  fail(why) {
    this.broken = true;
    for (const { reject } of this.waiting.values()) reject(new Error(`A thinker failed: ${why}.`));
  }

  /** @param {{answer: number, found?: unknown, problem?: string}} data */
  _answered({ answer, found, problem }) {
    const asker = this.waiting.get(answer);
    if (problem === undefined) asker?.resolve(found);
    else asker?.reject(new Error(`A thinker failed: ${problem}`));
  }
}

/** Decides for seats: only from their hidden records. */
export class Thinkers {
  /** @param {{make?: () => Thread, cores?: number, seed?: bigint, network?: typeof networkOf}} [how] */
  constructor({ make = inWorker, cores = navigator.hardwareConcurrency, seed = newSeed(), network = networkOf } = {}) {
    this.make = make;
    this.network = network;
    this.most = Math.max(1, Math.min(MOST, (cores || 1) - 1));
    this.seed = seed;
    this.rng = newRng(seed);
    this.made = 0;
    this.failures = 0;
    /** All that live. @type {Set<Thinker>} */
    this.all = new Set();
    /** @type {Thinker[]} */
    this.idle = [];
    /** Who waits until one is idle. @type {(() => void)[]} */
    this.queue = [];
  }

  /**
   * An action, or null to do nothing. Rejects only if the signal says that nobody wants to know any more.
   * @param {Engine} engine
   * @param {Uint8Array} hidden the record of the seat
   * @param {number} seat
   * @param {string} level or a bot by name, as older tables have them
   * @param {AbortSignal} [signal]
   * @returns {Promise<number | null>}
   */
  async decide(engine, hidden, seat, level, signal) {
    const legal = engine.legal(hidden, seat), waited = (engine.waiting(hidden) >> seat) & 1;
    if (!legal.length) return null;
    const bot = engine.facts.levels?.[level] ?? level, search = SEARCH.exec(bot);
    if (bot === 'learned') return this._byNetwork(engine, hidden, seat, legal);
    if (!search) return this._byPolicy(engine, hidden, seat, legal, bot);
    if (waited && legal.length === 1) return legal[0];
    const manner = readManner(search[2], engine, engine.read(hidden, 'players'));
    const judged = await this._search(engine, hidden, seat, { ms: Number(search[1]), manner, doubt: DOUBT }, signal);
    const action = judged[0]?.action;
    if (action === undefined) return this._byPolicy(engine, hidden, seat, legal, bot);
    return action < 0 ? null : action;
  }

  /**
   * What search makes of each action that the seat may take, best first; nothing if it cannot be had.
   * @param {Engine} engine
   * @param {Uint8Array} hidden
   * @param {number} seat
   * @param {AbortSignal} [signal]
   * @returns {Promise<Judgement[]>}
   */
  async advise(engine, hidden, seat, signal) {
    if (!engine.legal(hidden, seat).length) return [];
    const [, , how = ''] = SEARCH.exec(engine.facts.levels?.master ?? '') ?? [];
    const manner = { ...readManner(how, engine, engine.read(hidden, 'players')), least: 0 }; // the best bot's, but it tries all
    return this._search(engine, hidden, seat, { ms: HINT, manner, doubt: CAREFUL }, signal);
  }

  /**
   * What a self-taught bot makes of each action that the seat may take, best first; nothing if it cannot be had.
   * @param {Engine} engine
   * @param {Uint8Array} hidden
   * @param {number} seat
   * @returns {Promise<import('./types').Opinion[]>}
   */
  async opinions(engine, hidden, seat) {
    const legal = engine.legal(hidden, seat), network = await this._network(engine);
    return legal.length ? network?.opinions(hidden, seat, legal) ?? [] : [];
  }

  /** Null if nobody has trained one, or if it cannot be had: then the policy decides. @param {Engine} engine */
  async _network({ facts }) {
    return facts.learned ? this.network(facts.game).catch(() => null) : null;
  }

  close() {
    this.most = 0;
    this.idle = [];
    for (const one of [...this.all]) {
      one.fail('it was let go');
      this._return(one);
    }
  }

  /** It takes less than a millisecond. @param {Engine} engine @param {Uint8Array} hidden @param {number} seat @param {number[]} legal */
  async _byNetwork(engine, hidden, seat, legal) {
    const action = (await this._network(engine))?.choose(hidden, seat, legal);
    if (action === undefined) return this._byPolicy(engine, hidden, seat, legal, 'learned');
    return action < 0 ? null : action;
  }

  /** @param {Engine} engine @param {Uint8Array} hidden @param {number} seat @param {number[]} legal @param {string} bot */
  _byPolicy(engine, hidden, seat, legal, bot) {
    const [, slips = '0'] = EASY.exec(bot) ?? [];
    const action = decideEasily(engine, hidden, seat, legal, this.rng, Number(slips));
    return action < 0 ? null : action;
  }

  /**
   * As far as it gets: no judgements at all if there is nobody to think.
   * @param {Engine} engine
   * @param {Uint8Array} hidden
   * @param {number} seat
   * @param {{ms: number, manner: import('./search.js').Manner, doubt: number}} how
   * @param {AbortSignal | undefined} signal
   * @returns {Promise<Judgement[]>}
   */
  async _search(engine, hidden, seat, { ms, manner, doubt }, signal) {
    const trained = (await this._network(engine))?.trained ?? null;
    if (!trained && isByNetwork(manner)) return [];
    const one = await this._lend(engine, trained);
    if (!one) return [];
    const judging = new Judging(engine, hidden, seat, { spaces: 1, budget: { ms }, manner, doubt });
    const given = { game: engine.facts.game, hidden, seat, actions: judging.actions, manner };
    try {
      judging.begin(await one.ask('begin', given, ms + GRACE));
      for (let step = judging.next(); step > 0; step = judging.next()) {
        signal?.throwIfAborted();
        judging.add(step, [await one.ask('sample', { alive: judging.alive, worlds: step }, ms + GRACE)]);
      }
      this.failures = 0;
    } catch {
      signal?.throwIfAborted(); // otherwise the thinker failed: what was found before that counts
    } finally {
      this._return(one);
    }
    return judging.worlds ? judging.judgements() : [];
  }

  /** A thinker that knows the game; null if there is none. @param {Engine} engine @param {import('./network.js').Trained | null} trained */
  async _lend(engine, trained) {
    while (this.most) {
      if (!this.idle.length && this.all.size < this.most && this.failures < PATIENCE) this._start();
      if (this.idle.length || !this.all.size) break;
      await new Promise((resolve) => { this.queue.push(() => resolve(null)); }); // until one comes back
    }
    const one = this.idle.pop();
    if (!one) return null;
    await one.open(engine, (this.seed << 8n) | BigInt(one.number), trained).catch(() => {});
    if (!one.broken) return one;
    this._return(one);
    return null;
  }

  _start() {
    try {
      const one = new Thinker(this.make(), (this.made += 1));
      this.all.add(one);
      this.idle.push(one);
    } catch {
      this.failures += 1;
    }
  }

  /** One that failed is let go; the next decision may start another. @param {Thinker} one */
  _return(one) {
    if (one.broken) this._dismiss(one);
    else if (this.all.has(one)) this.idle.push(one);
    for (const waiting of this.queue.splice(0)) waiting();
  }

  /** @param {Thinker} one */
  _dismiss(one) {
    this.failures += 1;
    this.all.delete(one);
    one.thread.terminate();
  }
}
