// A match: one record, the moves that led to it, and what can be done next.

import { NOBODY } from './engine.js';
import { readOptions, readPlayers, writeOptions } from './options.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./types').Log} Log */
/** @typedef {import('./types').Move} Move */
/** @typedef {import('./types').Seat} Seat */

export const CHANCE = 'chance';
const MOST_NAMED = 12; // actions in a sentence

/** What a seat cannot do now. */
export class Illegal extends Error {}

/** @param {number} bits */
const placesIn = (bits) => {
  const places = [];
  for (let place = 0; bits >> place; place += 1) if ((bits >> place) & 1) places.push(place);
  return places;
};

/** @param {Seat} seat */
const seatWords = (seat) => (seat === CHANCE ? 'the dice' : `seat ${seat}`);

export class Match {
  /**
   * A new match, dealt from its key.
   * @param {Engine} engine
   * @param {{players: number, options?: Record<string, unknown>, key: Uint8Array}} setup options by name
   */
  static deal(engine, { players, options = {}, key }) {
    const count = readPlayers(engine.facts, players);
    return new Match(engine, engine.deal(count, readOptions(engine.facts, options, count), key));
  }

  /** @param {Engine} engine @param {Uint8Array} bytes a whole record @param {Move[]} [moves] that led to it */
  static from(engine, bytes, moves = []) {
    return new Match(engine, bytes.slice(), moves);
  }

  /** A view from a hidden record; null is a spectator. @param {Engine} engine @param {Uint8Array} hidden @param {number | null} seat */
  static viewOf(engine, hidden, seat) {
    return engine.view(hidden, seat ?? NOBODY);
  }

  /** @param {Engine} engine @param {Uint8Array} bytes @param {Move[]} [moves] */
  constructor(engine, bytes, moves = []) {
    this.engine = engine;
    /** The whole state, secrets included. Nobody changes these bytes: a move makes new ones. */
    this.bytes = bytes;
    /** @type {Move[]} */
    this.moves = [...moves];
    this.players = engine.read(bytes, 'players');
  }

  // --- Asking ---

  /** The options by name. */
  get options() {
    const { facts } = this.engine;
    return writeOptions(facts, facts.options.map((_, place) => this.engine.read(this.bytes, 'options', place)));
  }

  /** The seats that the match waits for, or ['chance']; none once it is over. @returns {Seat[]} */
  get waiting() {
    const bits = this.engine.waiting(this.bytes);
    return bits === 1 << this.engine.facts.chance ? [CHANCE] : placesIn(bits);
  }

  /** The seats that may act now although nobody waits for them. */
  get bystanders() {
    return placesIn(this.engine.bystanders(this.bytes))
      .filter((seat) => this.engine.legal(this.bytes, seat).length > 0);
  }

  get over() {
    return this.engine.read(this.bytes, 'over') !== 0;
  }

  get round() {
    return this.engine.read(this.bytes, 'round_number');
  }

  get scores() {
    return Array.from({ length: this.players }, (_, seat) => this.engine.read(this.bytes, 'scores', seat));
  }

  /** All winners; none before the end. */
  get winners() {
    return placesIn(this.engine.read(this.bytes, 'winners'));
  }

  /** The 32 bytes that, with options and moves, determine the whole match. */
  get key() {
    return this.engine.key(this.bytes);
  }

  /** The numbers of a seat's legal actions. @param {Seat} seat */
  legalIds(seat) {
    return this.engine.legal(this.bytes, this._number(seat));
  }

  /** Their names. Bystanders have some, too. @param {Seat} seat */
  legal(seat) {
    return this.legalIds(seat).map((action) => this._name(action));
  }

  // --- Playing ---

  /**
   * Carries out an action, given by name or number. What it caused is told by `tell`.
   * @param {Seat} seat
   * @param {string | number} action
   * @returns {Log}
   */
  play(seat, action) {
    const [number, chosen] = this.check(seat, action);
    const { record, log } = this.engine.apply(this.bytes, number, chosen);
    this.bytes = record;
    this.moves.push([seat, this._name(chosen)]);
    return log;
  }

  /** The numbers of a seat and an action that is legal for it. @param {Seat} seat @param {string | number} action */
  check(seat, action) {
    const number = this._number(seat), chosen = this._action(action);
    const legal = this.engine.legal(this.bytes, number);
    if (!legal.includes(chosen)) throw new Illegal(this._whyNot(seat, chosen, legal));
    return /** @type {const} */ ([number, chosen]);
  }

  /** Plays for chance: draws one of its equally likely outcomes from the key. */
  roll() {
    return this.play(CHANCE, this.tossed());
  }

  /** The number of the outcome that chance draws now. */
  tossed() {
    const outcomes = this.legalIds(CHANCE);
    if (!outcomes.length) throw new Illegal('There is nothing to roll now.');
    return outcomes[this.engine.toss(this.bytes, outcomes.length)];
  }

  copy() {
    return new Match(this.engine, this.bytes, this.moves);
  }

  // --- What may be known of it: null is a spectator ---

  /** The record with what the seat may not know blanked. @param {number | null} seat */
  hidden(seat) {
    return this.engine.hide(this.bytes, seat === null ? NOBODY : this._number(seat));
  }

  /** What a seat sees, as JSON. @param {number | null} seat */
  view(seat) {
    return Match.viewOf(this.engine, this.hidden(seat), seat);
  }

  /** What of it is other than in an earlier hidden record, as JSON. @param {Uint8Array} before @param {number | null} seat */
  changes(before, seat) {
    return this.engine.changes(before, this.hidden(seat), seat ?? NOBODY);
  }

  /** What a move caused, as JSON, with what the seat may not know as "?". @param {Log} log @param {number | null} seat @param {boolean} [open] */
  tell(log, seat, open = false) {
    return this.engine.events(log, seat ?? NOBODY, open);
  }

  // --- Arguments ---

  /** @param {Seat} seat */
  _number(seat) {
    if (seat === CHANCE) return this.engine.facts.chance;
    if (Number.isInteger(seat) && seat >= 0 && seat < this.players) return seat;
    throw new Illegal(`There is no such seat: seats are 0 to ${this.players - 1}.`);
  }

  /** @param {string | number} action */
  _action(action) {
    const number = typeof action === 'string'
      ? this.engine.numbers.get(action.trim().split(/\s+/).join(' '))
      : action;
    if (number !== undefined && this.engine.actions[number] !== undefined) return number;
    throw new Illegal(`There is no such action in ${this.engine.facts.title}.`);
  }

  /** @param {number} action */
  _name(action) {
    return this.engine.actions[action];
  }

  /** @param {Seat} seat @param {number} action @param {number[]} legal */
  _whyNot(seat, action, legal) {
    if (this.over) return 'The match is over.';
    const who = seatWords(seat), cannot = `${who[0].toUpperCase()}${who.slice(1)} cannot ${this._name(action)} now`;
    if (!legal.length) return `${cannot}: the match waits for ${this.waiting.map(seatWords).join(' and ')}.`;
    const possible = legal.slice(0, MOST_NAMED).map((one) => this._name(one));
    if (legal.length > MOST_NAMED) possible.push('...');
    return `${cannot}. Possible: ${possible.join(', ')}.`;
  }
}
