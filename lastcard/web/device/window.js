// The only way out for cards: what a seat, or a spectator, is shown of a match.
//
// Everything here is made from the seat's hidden record (hints by search, which sees no more) and from events told
// for the seat. No other module puts any part of a match into a message. Messages are JSON, as from a server.

import { NOBODY } from './engine.js';

/** @typedef {import('./table.js').Table} Table */
/** @typedef {import('./table.js').Happened} Happened */

const MOST_ADVICE = 5; // actions in a hint

/**
 * The content of a hint, best action first; with the opinions of a self-taught bot.
 * @param {import('./engine.js').Engine} engine
 * @param {import('./types').Judgement[]} judged
 * @param {import('./types').Opinion[]} opinions
 */
export function adviceOf(engine, judged, opinions) {
  const likings = new Map(opinions.map(({ action, liking }) => [action, rounded(liking)]));
  return judged.slice(0, MOST_ADVICE).map(({ action, chance }) =>
    ({ action: named(engine, action), chance: rounded(chance), liking: likings.get(action) ?? null }));
}

/**
 * What a self-taught bot would do, for a hint; null if there is no such bot.
 * @param {import('./engine.js').Engine} engine
 * @param {import('./types').Opinion[]} opinions
 */
export function likedOf(engine, [best]) {
  return best ? { action: named(engine, best.action), liking: rounded(best.liking) } : null;
}

/** @param {number} share */
const rounded = (share) => Math.round(share * 1000) / 1000;

/** @param {import('./engine.js').Engine} engine @param {number} action */
const named = (engine, action) => (action === NOBODY ? null : engine.actions[action] ?? null);

/** The view of one seat, or of all spectators (null). */
export class Window {
  /** @param {import('./engine.js').Engine} engine @param {number | null} seat */
  constructor(engine, seat) {
    this.seat = seat;
    this._engine = engine;
    this._viewer = seat ?? NOBODY;
    /** @type {Uint8Array | null} */
    this._last = null; // the hidden record that was looked at last
  }

  /** The whole match as it is now, as JSON. @param {Table} table */
  shown(table) {
    if (!table.match) return 'null';
    this._last = table.match.hidden(this.seat);
    return `{"number":${table.number},"version":${table.version},"undo":${table.mayUndo(this.seat)},"view":${this._engine.view(this._last, this._viewer)}}`;
  }

  /** The same, as a message. @param {Table} table */
  anew(table) {
    return `{"type":"match","match":${this.shown(table)}}`;
  }

  /** The move that was just made. @param {Table} table @param {Happened} happened @param {number | null} seconds */
  update(table, { log, seat, by }, seconds) {
    const { match, version } = table;
    if (!match || !log) throw new Error('no move was made');
    const before = this._last, now = (this._last = match.hidden(this.seat));
    const changes = before ? this._engine.changes(before, now, this._viewer) : this._engine.view(now, this._viewer);
    return `{"type":"update","version":${version},"seat":${JSON.stringify(seat)},"by":"${by}","events":${match.tell(log, this.seat)},`
      + `"changes":${changes},"undo":${table.mayUndo(this.seat)},"seconds":${seconds}}`;
  }

  /**
   * One step of a replay, as JSON.
   * @param {Pick<Table, 'match' | 'version'>} then
   * @param {Pick<Happened, 'log' | 'seat' | 'by'>} happened
   * @param {boolean} open only once the match is over
   */
  step({ match, version }, { log, seat, by }, open) {
    if (!match) throw new Error('there is no match');
    const events = log ? match.tell(log, this.seat, open) : '[]';
    const view = this._engine.view(open ? match.bytes : match.hidden(this.seat), this._viewer);
    return `{"version":${version},"seat":${JSON.stringify(log ? seat : null)},"by":${JSON.stringify(log ? by : null)},"events":${events},"view":${view}}`;
  }
}
