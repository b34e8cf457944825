// What a live table showed to a seat during a match: after the match, this device checks it against the shuffle.
//
// The promise (commitment and seeds) is public. What was shown is the seat's own: it is kept for this tab only, so that
// it survives a reload, and dropped when the device is passed on, since nobody else may see it.

/** @typedef {import('../types').Shown} Shown */
/** @typedef {import('../types').Promised} Promised */

const MOST_KEPT = 1_500_000; // characters of one match

/** The storage of this tab; null if there is none. */
export function shelf() {
  try {
    return sessionStorage;
  } catch {
    return null; // forbidden
  }
}

export class Witness {
  /**
   * @param {string} table its id
   * @param {Storage | null} shelf where it is kept over a reload, if anywhere
   */
  constructor(table, shelf) {
    this._table = table;
    this._shelf = shelf;
    /** @type {Promised | null} */
    this._promised = this._read('promise');
    /** @type {number | null | undefined} */
    this._seat = undefined; // nobody has been welcomed yet
    this._match = 0; // the number of the match that was shown
    /** @type {Shown[]} */
    this._shown = [];
    /** @type {import('../types').View | null} */
    this._view = null; // the last one
    this._size = 0; // characters
    this._undo = false; // whether moves may be taken back
    this._undone = false; // whether one was: the next view is an earlier one
  }

  /** Takes in a message as it arrives. @param {import('../types').Message} message */
  hear(message) {
    switch (message.type) {
      case 'welcome':
        this.promise(message.table);
        if (message.seat !== this._seat) this._sit(message.seat);
        if (message.match) this._see(message.match);
        break;
      case 'table': this.promise(message.table); break;
      case 'match': this._see(message.match); break;
      case 'undone': this._undone = true; break;
      case 'update': this._add(message); break;
    }
  }

  /**
   * What was promised and shown of a match; null if this page has not seen it.
   * @param {number} match its number
   * @returns {import('../types').Testimony | null}
   */
  testimony(match) {
    if (this._promised?.match !== match || this._match !== match || typeof this._seat !== 'number') return null;
    const { commitment, seeds, early } = this._promised;
    return { commitment, seeds, early, seat: this._seat, shown: this._shown };
  }

  /** Drops what only the seat may know. */
  forget() {
    this._shown = [];
    this._view = null;
    this._seat = undefined;
    this._match = this._size = 0;
    for (const key of this._keys()) if (!key.endsWith('.promise')) this._remove(key);
  }

  /** Drops everything. */
  close() {
    this.forget();
    this._remove(this._name('promise'));
    this._promised = null;
  }

  /**
   * A table promises a shuffle by its commitment and, once the match has begun, by the seeds of all seats: what it said
   * first counts.
   * @param {import('../types').Table} table
   */
  promise({ number, commitment, next_commitment, seats, status, undo }) {
    const known = this._promised;
    this._undo = undo;
    if (known?.match === number && known.begun) {
      if (next_commitment && known.next === null) this._keep({ ...known, next: next_commitment });
      return;
    }
    const before = known?.match === number ? known.commitment : known?.match === number - 1 ? known.next : null;
    this._keep({
      match: number, commitment: before ?? commitment ?? '', seeds: seats.map(({ seed }) => seed),
      early: before !== null || status === 'open', begun: status !== 'open', next: next_commitment,
    });
  }

  /** @param {Promised} promised */
  _keep(promised) {
    this._promised = promised;
    this._write('promise', promised);
  }

  /** Begins a seat's record, or takes up what this tab kept of it over a reload. @param {number | null} seat */
  _sit(seat) {
    const head = seat === null ? null : this._read(`${seat}`);
    const kept = Array.from({ length: head?.count ?? 0 }, (_, n) => this._read(`${seat}.${n}`));
    this.forget(); // whatever is there of others, too
    this._seat = seat;
    this._match = head?.match ?? 0;
    for (const shown of kept) this._push(shown);
  }

  /** A whole view: of a new match, after a gap, or once more. @param {import('../types').Match} match */
  _see({ number, version, view }) {
    const undone = this._undone;
    this._undone = false;
    if (typeof this._seat !== 'number') return;
    if (number !== this._match) this._cut(0);
    this._match = number;
    if (undone) this._takeBack(view);
    else if (this._shown.at(-1)?.version !== version && this._undo) this._doubt();
    if (same(this._view, view)) return;
    this._push({ version, seat: null, view, events: [] });
  }

  /** A move was taken back: what came after this view is void. @param {import('../types').View} view */
  _takeBack(view) {
    const again = this._views().findLastIndex((one) => same(one, view));
    this._cut(again >= 0 ? again + 1 : this._shown.findLastIndex((one) => one.view));
  }

  /** Something was missed: the moves of whoever moved last may have been taken back meanwhile. */
  _doubt() {
    const mover = this._shown.at(-1)?.seat;
    this._cut(this._shown.findLastIndex((one) => one.view || (one.seat !== mover && one.seat !== 'chance')) + 1);
  }

  /** @param {import('../types').Update} message */
  _add({ version, seat, changes, events }) {
    if (!this._view) return;
    if (this._size > MOST_KEPT) {
      this._view = null; // what comes now is not checked
      return;
    }
    this._push({ version, seat, changes, events });
  }

  /** @param {Shown} shown */
  _push(shown) {
    this._view = shown.view ?? /** @type {import('../types').View} */ ({ ...this._view, ...shown.changes });
    const count = this._shown.push(shown);
    this._size += JSON.stringify(shown).length;
    this._write(`${this._seat}.${count - 1}`, shown);
    this._write(`${this._seat}`, { match: this._match, count });
  }

  /** Drops all but the first entries. @param {number} count */
  _cut(count) {
    for (const [n, shown] of this._shown.entries()) {
      if (n < count) continue;
      this._remove(this._name(`${this._seat}.${n}`));
      this._size -= JSON.stringify(shown).length;
    }
    this._shown.length = Math.max(0, Math.min(count, this._shown.length));
    this._view = this._views().at(-1) ?? null;
  }

  /** @returns {import('../types').View[]} */
  _views() {
    /** @type {import('../types').View[]} */
    const views = [];
    for (const { view, changes } of this._shown)
      views.push(view ?? /** @type {import('../types').View} */ ({ ...views.at(-1), ...changes }));
    return views;
  }

  // --- Over a reload ---

  /** @param {string} key */
  _name(key) {
    return `lastcard.witness.${this._table}.${key}`;
  }

  /** @param {string} key @returns {any} */
  _read(key) {
    try {
      return JSON.parse(this._shelf?.getItem(this._name(key)) ?? 'null');
    } catch {
      return null;
    }
  }

  /** @param {string} key @param {unknown} value */
  _write(key, value) {
    try {
      this._shelf?.setItem(this._name(key), JSON.stringify(value));
    } catch {
      // no room, or no storage: it is known until the page is closed
    }
  }

  /** @param {string} key */
  _remove(key) {
    this._shelf?.removeItem(key);
  }

  /** The names of all that is kept of this table. */
  _keys() {
    const shelf = this._shelf, mine = this._name('');
    return shelf ? Array.from({ length: shelf.length }, (_, n) => shelf.key(n) ?? '').filter((key) => key.startsWith(mine)) : [];
  }
}

/** Keys keep their order: a view is brought up to date by replacing values. @param {unknown} one @param {unknown} other */
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
