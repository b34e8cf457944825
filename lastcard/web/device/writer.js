// Entries: written to the journal first, then carried out and told to everybody.

import { notLater, now } from './clock.js';
import { readEntry } from './entries.js';
import { Refused } from './refusals.js';

/** @typedef {import('./entries.js').Entry} Entry */
/** @typedef {import('./hosted.js').HostedTable} HostedTable */

const ATTEMPTS = 10; // to write an entry while other tabs write theirs
const NO_TABLE = 4004; // the code with which connections are closed

/** Another tab has written an entry of the same number: look again. */
class Overtaken extends Error {}

/**
 * @typedef {object} Listener
 * @property {(hosted: HostedTable) => void} changed what comes next at the table?
 * @property {(hosted: HostedTable) => void} wrote who else is to be told?
 * @property {(hosted: HostedTable, why: Refused) => void} broken its journal goes on in a way that cannot be read
 */

/**
 * An entry that cannot be carried out: of a newer version with other rules, perhaps.
 * @param {number} seq
 * @param {unknown} problem
 */
export function damaged(seq, problem) {
  console.error(problem);
  return new Refused('damaged', `This match cannot be opened: entry ${seq} of its journal cannot be read. It is kept as it is.`);
}

/** The line of the list that tells of a table. @param {import('./table.js').Table} table @returns {import('./store.js').Summary} */
export function summaryOf({ status, chairs, people, number, match }) {
  const there = people.filter((seat) => !chairs[seat]?.left);
  return {
    status, people: there, names: there.map((seat) => chairs[seat]?.name ?? ''), matches: match ? number : 0,
    over: status === 'over' ? number : number - 1,
  };
}

/** The only way to change a table. */
export class Writer {
  /**
   * @param {import('./store.js').Store} store
   * @param {Listener} listener
   */
  constructor(store, listener) {
    this._store = store;
    this._listener = listener;
  }

  /** Does one thing at a time at each table, and again if another tab was faster. @template T @param {HostedTable} hosted @param {() => Promise<T>} work @returns {Promise<T>} */
  inTurn(hosted, work) {
    return hosted.locked(async () => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        if (hosted.table.seq < hosted.newest) await this._catchUp(hosted);
        try {
          return await work();
        } catch (problem) {
          if (!(problem instanceof Overtaken)) throw problem;
        }
      }
      throw new Refused('unavailable', 'Too much is going on at this table. Try again.');
    });
  }

  /** Journal first, then everything else. The caller has the table's turn. @param {HostedTable} hosted @param {Entry} entry */
  async write(hosted, entry) {
    const { table } = hosted, at = now();
    table.bound(entry);
    const outcome = await this._store.append({ table: table.id, seq: table.seq + 1, at, entry });
    if (outcome === 'gone') {
      for (const client of [...hosted.clients]) client.close(NO_TABLE);
      throw new Refused('not_found', 'This table was deleted.');
    }
    if (outcome === 'overtaken') {
      await this._catchUp(hosted);
      throw new Overtaken();
    }
    hosted.mine = true;
    hosted.used = at;
    const happened = this._carryOut(hosted, entry, at);
    this._listener.wrote(hosted);
    if (happened.table) this._store.relist(table.id, summaryOf(table), Date.now());
  }

  /** Another tab says that the journal is longer. @param {HostedTable} hosted @param {number} seq */
  readOn(hosted, seq) {
    if (seq <= hosted.table.seq) return;
    hosted.newest = Math.max(hosted.newest, seq);
    hosted.locked(() => this._catchUp(hosted)).catch(console.error);
  }

  /** @param {HostedTable} hosted */
  async _catchUp(hosted) {
    const { table } = hosted;
    for (const { seq, at, entry } of await this._store.lines(table.id, table.seq)) {
      hosted.mine = false;
      try {
        this._carryOut(hosted, readEntry(entry), notLater(at));
      } catch (problem) {
        const damage = damaged(seq, problem);
        this._listener.broken(hosted, damage); // what is in memory is of no use any more
        throw damage;
      }
    }
    hosted.newest = table.seq; // whatever was announced, there is no more
  }

  /** @param {HostedTable} hosted @param {Entry} entry @param {number} at */
  _carryOut(hosted, entry, at) {
    const happened = hosted.table.fold(entry, at);
    if (entry.is === 'left') unseat(hosted, entry.seat);
    if (happened.table) hosted.noteGone();
    hosted.tell(happened);
    this._listener.changed(hosted);
    return happened;
  }
}

/** A player who gives up a seat becomes a spectator, if the table allows spectators. @param {HostedTable} hosted @param {number} seat */
function unseat(hosted, seat) {
  hosted.windows.delete(seat);
  for (const client of [...hosted.clients]) {
    if (client.seat !== seat) continue;
    client.seat = null;
    if (hosted.table.setup.watch) hosted.welcome(client);
    else client.close(1000);
  }
}
