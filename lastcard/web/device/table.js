// A table: who sits there and the match they play, as its journal says.
//
// What people ask for is checked first, and either becomes an entry or is refused. The entry is written to the
// journal. Only then does `fold` carry it out: nothing happens that is not kept, and reading the journal leads to the
// same state in every tab.

import { Illegal, Match } from './match.js';
import { Refused } from './refusals.js';
import { hashOf, matchSecret } from './secrets.js';
import { checkLevel, readName, readSeed } from './setup.js';
import { commitmentOf, hex, keyOf, unhex } from './shuffle.js';
import { revealsNothing } from './undo.js';

/** @typedef {import('./entries.js').Entry} Entry */
/** @typedef {import('./entries.js').By} By */
/** @typedef {import('./entries.js').Seat} Seat */
/** @typedef {import('./entries.js').Moved} Moved */
/** @typedef {import('./entries.js').Agreed} Agreed */
/** @typedef {import('./setup.js').Setup} Setup */

const REMEMBERED = 8; // last moves of each seat, to recognise them when they are sent again
const MOST_MATCHES = 1000; // at one table
const MOST_NON_MOVES = 5000; // entries in one match

/**
 * How a table began. `imported` is there if its first match was not dealt here.
 * @typedef {object} Founded
 * @property {string} id
 * @property {number} created
 * @property {Setup} setup
 * @property {string} secret the table's; each match derives its own from it
 * @property {{key: string, shuffle: import('./types').Shuffle | null, seats: string[]}} [imported] from a match file: its
 *   key, where that came from if the file says so, and who sat where: "human" or the level of a bot
 *
 * @typedef {object} Chair
 * @property {'free' | 'person' | 'bot'} kind
 * @property {string} name
 * @property {string} level of a bot
 * @property {string} token hashed
 * @property {string | null} seed
 * @property {boolean} left
 * @property {import('./entries.js').Pronoun | null} pronoun
 *
 * What an entry has changed, for those who are told.
 * @typedef {object} Happened
 * @property {import('./types').Log | null} log of a move
 * @property {Seat | null} seat whose move it is
 * @property {string} action for match files only; pages are told events, see window.js
 * @property {By} by who moved for the seat
 * @property {boolean} whole pages need the whole match again
 * @property {number | null} undone the seat whose move was taken back
 * @property {boolean} table more than the match has changed
 *
 * A move that its player may want to take back.
 * @typedef {object} Last
 * @property {number} seat
 * @property {number} action its number
 * @property {import('./match.js').Match} before
 * @property {import('./types').Log} log
 * @property {Map<number, number>} askedAt
 * @property {boolean | null} harmless null: not checked yet
 */

/** @returns {Chair} */
const chair = (/** @type {Partial<Chair>} */ more = {}) =>
  ({ kind: 'free', name: '', level: '', token: '', seed: null, left: false, pronoun: null, ...more });

/** @returns {Happened} */
const happened = (/** @type {Partial<Happened>} */ more = {}) =>
  ({ log: null, seat: null, action: '', by: 'player', whole: false, undone: null, table: true, ...more });

/** @param {Setup} setup @param {string[] | undefined} seats */
function chairsOf({ players, bots }, seats) {
  const people = players - bots.length;
  const all = seats ?? Array.from({ length: players }, (_, seat) => (seat < people ? 'human' : bots[seat - people]));
  return all.map((one) => (one === 'human' ? chair() : chair({ kind: 'bot', level: one })));
}

/** The state that the entries of a journal lead to. */
export class Table {
  /** @param {import('./engine.js').Engine} engine @param {Founded} founded */
  constructor(engine, founded) {
    this.engine = engine;
    this.founded = founded;
    this.id = founded.id;
    this.setup = founded.setup;
    this.chairs = chairsOf(founded.setup, founded.imported?.seats);
    this.seq = 0; // of the last entry
    this.nonMoves = 0; // entries of this match that are not moves
    this.number = 1; // of the match
    /** @type {import('./match.js').Match | null} */
    this.match = null;
    /** @type {(string | null)[]} */
    this.dealtSeeds = []; // the seeds of the current deal
    /** @type {Seat[]} */
    this.waited = []; // whom the match waits for, paused or not
    this.version = 0; // grows with every deal, move and undo
    this.base = 0; // the oldest version that a move may answer
    this.paused = false;
    /** @type {Set<number>} */
    this.agreed = new Set(); // seats that want a pause, or a rematch
    this.pausedAt = founded.created;
    this.since = founded.created; // time of the last deal, move or undo
    /** @type {Map<number, number>} */
    this.askedAt = new Map(); // since when the match waits for each seat
    /** @type {Map<number, Map<string, number>>} */
    this._recent = new Map(); // by seat: versions of recent moves, by id
    /** @type {Last | null} */
    this._last = null; // the last move, if undoing it may be possible
  }

  // --- What is public ---

  get status() {
    if (!this.match) return 'open';
    if (!this.waited.length) return 'over';
    return this.paused ? 'paused' : 'playing';
  }

  get free() {
    return this._seats((one) => one.kind === 'free');
  }

  get people() {
    return this._seats((one) => one.kind === 'person');
  }

  /** Whether bots play here, also for people who have left. */
  get served() {
    return this.chairs.some((one) => one.kind === 'bot' || one.left);
  }

  /** The seats the match waits for; none while it is paused, or over. */
  get waiting() {
    return this.paused ? [] : this.waited;
  }

  /** The seats that may act although nobody waits for them, whether or not they have something to play. */
  get bystanders() {
    const bits = this.match ? this.engine.bystanders(this.match.bytes) : 0;
    return this._seats((_, seat) => Boolean((bits >> seat) & 1));
  }

  /** Whether a person made the last move and may want to undo it, allowed or not. */
  get personMoved() {
    return this._last !== null;
  }

  /** @param {number | null} seat */
  mayUndo(seat) {
    const last = this._last;
    if (!last || !this.match || last.seat !== seat) return false;
    last.harmless ??= revealsNothing(last.before, this.match, last.seat, last.action, last.log);
    return last.harmless;
  }

  /** @param {(one: Chair, seat: number) => boolean} holds */
  _seats(holds) {
    return this.chairs.flatMap((one, seat) => (holds(one, seat) ? [seat] : []));
  }

  // --- The shuffle ---

  /** Where the cards of the match come from: secret until it is over. null if nobody knows. @returns {import('./types').Shuffle | null} */
  get shuffle() {
    const { imported, secret } = this.founded;
    if (imported && this.number === 1) return imported.shuffle;
    const own = matchSecret(secret, this.number);
    return { commitment: commitmentOf(own), secret: own, seeds: this.dealtSeeds };
  }

  /** The hash of the secret of the match, or of the first match before it begins. */
  get commitment() {
    return this.shuffle?.commitment ?? ''; // of an imported match nobody may know
  }

  /** After a match: the commitment of the next, so that seeds are chosen after the secret. */
  get nextCommitment() {
    return this.status === 'over' ? commitmentOf(matchSecret(this.founded.secret, this.number + 1)) : null;
  }

  /** The key of all cards of the match. */
  get key() {
    const { imported, secret } = this.founded;
    return imported && this.number === 1 ? unhex(imported.key) : keyOf(matchSecret(secret, this.number), this.dealtSeeds);
  }

  get keyDigits() {
    return hex(this.key);
  }

  // --- What people ask for: an entry, or Refused ---

  /** Whose token this is. @param {string} token */
  seatOf(token) {
    const hashed = hashOf(token), seat = this.chairs.findIndex((one) => one.token === hashed);
    if (seat < 0) throw new Refused('unauthorized', 'No seat at this table has this token.');
    return seat;
  }

  /** @param {string} name @param {string | null} seed @param {string} token @param {import('./entries.js').Pronoun | null} pronoun @returns {import('./entries.js').Joined} */
  join(name, seed, token, pronoun) {
    const shown = readName(name), chosen = readSeed(seed), [seat] = this.free;
    if (seat === undefined) throw new Refused('full', 'There is no free seat at this table.');
    return { is: 'joined', seat, name: shown, token: hashOf(token), seed: chosen, pronoun };
  }

  /** @param {number} seat @returns {Entry} */
  leave(seat) {
    if (this._chair(seat).left) throw new Refused('not_now', 'You have already left.');
    return { is: 'left', seat };
  }

  /** @param {string} level @returns {Entry} */
  fill(level) {
    checkLevel(level);
    if (!this.free.length) throw new Refused('not_now', 'There is no free seat to fill.');
    return { is: 'filled', level };
  }

  /** @param {number} seat @param {string} seed @returns {Entry} */
  seed(seat, seed) {
    const chosen = /** @type {string} */ (readSeed(seed));
    if (this.match) throw new Refused('not_now', 'The cards have already been dealt.');
    return { is: 'seeded', seat, seed: chosen };
  }

  /** @param {number} seat @param {number} version @param {string} action @param {string} id @returns {Entry} */
  move(seat, version, action, id) {
    const match = this._running();
    if (version < this.base || version > this.version) throw new Refused('stale', 'The match has moved on. Look again.');
    try {
      match.check(seat, action);
    } catch (problem) {
      throw problem instanceof Illegal ? new Refused('illegal', problem.message) : problem;
    }
    return { is: 'moved', seat, action, ...(id && { id }) };
  }

  /** The match, if the seat may have a hint. @param {number} seat */
  mayBeAdvised(seat) {
    if (!this.match || this.status !== 'playing') throw new Refused('not_now', 'There are hints only during a match.');
    if (this.chairs.some((one, other) => other !== seat && one.kind === 'person' && !one.left)) {
      throw new Refused('not_now', 'There are hints only when everyone else is a bot.');
    }
    if (!this.engine.legal(this.match.hidden(seat), seat).length) throw new Refused('not_now', 'You have nothing to choose right now.');
    return this.match;
  }

  /** The version that a move led to, if it was already made. @param {number} seat @param {string} id */
  movedAlready(seat, id) {
    return id ? this._recent.get(seat)?.get(id) ?? null : null;
  }

  /** @param {number} seat @param {number} version @returns {Entry} */
  undo(seat, version) {
    this._running();
    if (!this.setup.undo) throw new Refused('not_now', 'This table does not allow undo.');
    if (version !== this.version) throw new Refused('stale', 'The match has moved on. Look again.');
    if (!this.mayUndo(seat)) {
      throw new Refused('not_now', 'You cannot undo this: your last move revealed something, or another player has acted since.');
    }
    return { is: 'undone', seat };
  }

  /** The match pauses once all who are asked agree. @param {number} seat @param {Set<number>} asked @returns {Agreed} */
  pause(seat, asked) {
    this._running();
    return { is: 'agreed', seat, all: this._allAgree(seat, asked) };
  }

  /** @param {number} seat @param {Set<number>} asked @param {string | null} seed @returns {Agreed} */
  rematch(seat, asked, seed) {
    if (this.status !== 'over') throw new Refused('not_now', 'This match is not over yet.');
    if (this.number === MOST_MATCHES) throw new Refused('not_now', 'This table has seen enough matches. Open a new one.');
    return { is: 'agreed', seat, all: this._allAgree(seat, asked), seed: readSeed(seed) };
  }

  /** @param {number} seat @returns {Entry} */
  resume(seat) {
    if (!this.paused && !this.agreed.has(seat)) throw new Refused('not_now', 'The match is not paused.');
    return { is: 'resumed', seat };
  }

  /** @param {number} seat @param {Set<number>} asked */
  _allAgree(seat, asked) {
    return [...asked].every((one) => one === seat || this.agreed.has(one));
  }

  _running() {
    if (!this.match) throw new Refused('not_now', 'The match has not begun: there are free seats.');
    if (!this.waited.length) throw new Refused('not_now', 'The match is over.');
    if (this.paused) throw new Refused('paused', 'The match is paused. Resume it first.');
    return this.match;
  }

  /**
   * Refuses an entry when a match has had too many other than moves. It can still be played to its end, and a rematch begun.
   * @param {Entry} entry
   */
  bound(entry) {
    if (this.nonMoves < MOST_NON_MOVES || ['moved', 'joined', 'filled', 'returned'].includes(entry.is)) return;
    if (entry.is === 'resumed' && this.paused) return;
    if (entry.is === 'agreed' && this.status === 'over' && (entry.all || !this.agreed.has(entry.seat))) return;
    throw new Refused('not_now', 'There has been enough of that. Play on.');
  }

  // --- Carrying out entries ---

  /** @param {Entry} entry @param {number} at @returns {Happened} */
  fold(entry, at) {
    this.seq += 1;
    if (entry.is === 'moved') return this._moved(entry, at);
    this.nonMoves += 1;
    switch (entry.is) {
      case 'joined':
        this.chairs[entry.seat] = chair({
          kind: 'person', name: entry.name, token: entry.token, seed: entry.seed ?? null, pronoun: entry.pronoun ?? null });
        return this._beginIfFull(at);
      case 'filled':
        for (const seat of this.free) this.chairs[seat] = chair({ kind: 'bot', level: entry.level });
        return this._beginIfFull(at);
      case 'seeded':
        this._chair(entry.seat).seed = entry.seed;
        break;
      case 'left':
        if (this.match) this._chair(entry.seat).left = true;
        else this.chairs[entry.seat] = chair();
        this.agreed.delete(entry.seat);
        break;
      case 'returned':
        this._chair(entry.seat).left = false;
        break;
      case 'agreed':
        return this._agreed(entry, at);
      case 'resumed':
        this._resumed(entry.seat, at);
        break;
      case 'undone':
        return this._undone(entry.seat, at);
    }
    return happened();
  }

  /** @param {number} seat */
  _chair(seat) {
    const found = this.chairs[seat];
    if (!found) throw new RangeError(`there is no seat ${seat}`);
    return found;
  }

  /** @param {number} at */
  _beginIfFull(at) {
    return this.free.length ? happened() : this._begin(at);
  }

  /** @param {number} at */
  _begin(at) {
    this.dealtSeeds = this.chairs.map((one) => one.seed);
    const { players, options } = this.setup;
    this.match = Match.deal(this.engine, { players, options, key: this.key });
    this.agreed = new Set();
    this.askedAt = new Map();
    this._nextVersion(at);
    this.nonMoves = 0;
    return happened({ whole: true });
  }

  /** @param {Agreed} entry @param {number} at */
  _agreed(entry, at) {
    this.agreed.add(entry.seat);
    if (this.waited.length) {
      if (entry.all) [this.paused, this.agreed, this.pausedAt] = [true, new Set(), at];
      return happened();
    }
    this._chair(entry.seat).seed = entry.seed ?? null;
    if (!entry.all) return happened();
    this.chairs.forEach((one, seat) => {
      if (!this.agreed.has(seat)) one.seed = null; // chosen for the last match, before this one's commitment
    });
    this.number += 1;
    return this._begin(at);
  }

  /** @param {number} seat @param {number} at */
  _resumed(seat, at) {
    this.agreed.delete(seat);
    if (!this.paused) return;
    const rested = Math.max(at - this.pausedAt, 0); // the clock may have been set back
    [this.paused, this.agreed, this.since] = [false, new Set(), at];
    this.askedAt = new Map([...this.askedAt].map(([one, when]) => [one, when + rested]));
  }

  /** @param {number} seat @param {number} at */
  _undone(seat, at) {
    const last = this._last;
    if (!last || last.seat !== seat) throw new Error('there is nothing to undo');
    this.match = last.before;
    this._nextVersion(at);
    this.askedAt = last.askedAt; // an undo gives no extra time
    return happened({ undone: seat, whole: true });
  }

  /** @param {Moved} entry @param {number} at */
  _moved(entry, at) {
    const { match, base, waited, askedAt } = this, { seat, action, id = '', by = 'player' } = entry;
    if (!match || !waited.length) throw new Error('there is no match to move in');
    const before = this.setup.undo ? match.copy() : null;
    const [, number] = match.check(seat, action);
    const log = match.play(seat, number);
    match.moves.length = 0; // the journal has them
    this._nextVersion(at, seat);
    if (!this.waited.length) this.agreed = new Set(); // agreeing to a pause is not agreeing to a rematch
    if (seat !== 'chance') {
      const others = waited.filter((one) => one !== seat);
      const still = this.waited.length > 0 && others.length < waited.length && sameSeats(this.waited, others);
      if (still) this.base = base; // the others still answer the same question
      if (id) this._remember(seat, id);
      if (before && by === 'player') {
        this._last = { seat, action: number, before, log, askedAt, harmless: null };
      }
    }
    return happened({ log, seat, action, by, table: !this.waited.length });
  }

  /** @param {number} seat @param {string} id of a move */
  _remember(seat, id) {
    const recent = this._recent.get(seat) ?? new Map();
    recent.set(id, this.version);
    if (recent.size > REMEMBERED) recent.delete(recent.keys().next().value);
    this._recent.set(seat, recent);
  }

  /** @param {number} at @param {Seat} [mover] */
  _nextVersion(at, mover) {
    this.waited = this.match?.waiting ?? [];
    if (this.setup.clock !== null) { // those who have not moved yet get no extra time
      const before = this.askedAt;
      this.askedAt = new Map(this.waited.map((one) => {
        const seat = one === 'chance' ? this.engine.facts.chance : one;
        return [seat, (seat === mover ? undefined : before.get(seat)) ?? at];
      }));
    }
    this.version += 1;
    this.base = this.version;
    this.since = at;
    this._last = null;
  }
}

/** @param {Seat[]} some @param {Seat[]} others in ascending order, both */
const sameSeats = (some, others) => some.length === others.length && some.every((seat, place) => seat === others[place]);
