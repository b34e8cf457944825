// What a live table showed to a seat during a match: after the match, this device checks it against the shuffle.
//
// The promise (commitment and seeds) is public. What was shown is the seat's own: it is kept for this tab only, so that
// it survives a reload, and dropped when the device is passed on, since nobody else may see it.

/** @typedef {import('../types').Shown} Shown */
/** @typedef {import('../types').Promised} Promised */

const MOST_KEPT = 1_500_000; // characters of one match
const ALL = 'lastcard.witness.'; // how the names of all tables' records begin

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
    this._whole = false; // whether the last view is known
    this._size = 0; // characters
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
    /** @type {import('../types').Look[]} */
    const shown = [];
    for (const { version, view, changes, events } of this._shown) {
      const now = view ?? /** @type {import('../types').View} */ ({ ...shown.at(-1)?.view, ...changes });
      shown.push(events ? { version, kind: 'update', view: now, events } : { version, kind: 'match', view: now });
    }
    return { commitment, seeds, early, seat: this._seat, shown };
  }

  /** Drops what only the seat may know. */
  forget() {
    this._shown = [];
    this._whole = false;
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
  promise({ number, commitment, next_commitment, seats, status }) {
    const known = this._promised;
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
    for (const shown of kept) {
      if (!shown) break; // what comes after it cannot be told
      this._push(shown);
    }
  }

  /** A whole view: of a new match, after a gap or an undo, or once more. @param {import('../types').Match} match */
  _see({ number, version, view }) {
    if (typeof this._seat !== 'number') return;
    if (number !== this._match) this._restart(number);
    this._push({ version, view });
  }

  /** @param {import('../types').Update} message */
  _add({ version, changes, events }) {
    if (this._whole) this._push({ version, changes, events });
  }

  /** @param {number} match its number */
  _restart(match) {
    const seat = this._seat;
    this.forget();
    this._seat = seat;
    this._match = match;
  }

  /** @param {Shown} shown */
  _push(shown) {
    this._size += JSON.stringify(shown).length;
    this._whole = this._size < MOST_KEPT;
    if (!this._whole) return; // what comes now is not checked
    const count = this._shown.push(shown);
    this._write(`${this._seat}.${count - 1}`, shown);
    this._write(`${this._seat}`, { match: this._match, count });
  }

  // --- Over a reload ---

  /** @param {string} key */
  _name(key) {
    return `${ALL}${this._table}.${key}`;
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
    if (this._put(key, value)) return;
    for (const other of this._keys(ALL)) if (!other.startsWith(this._name(''))) this._remove(other);
    this._put(key, value);
  }

  /** Whether there was room. Where there is none, it is known until the page is closed. @param {string} key @param {unknown} value */
  _put(key, value) {
    try {
      this._shelf?.setItem(this._name(key), JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  }

  /** @param {string} key */
  _remove(key) {
    this._shelf?.removeItem(key);
  }

  /** The names of all that is kept, of this table unless told otherwise. @param {string} [begin] how they begin */
  _keys(begin = this._name('')) {
    const shelf = this._shelf;
    return shelf ? Array.from({ length: shelf.length }, (_, n) => shelf.key(n) ?? '').filter((key) => key.startsWith(begin)) : [];
  }
}
