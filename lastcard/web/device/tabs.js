// The other tabs that have the same tables open: who is connected there, what they write. The journal decides what
// happens; this only says when to look.

import { now } from './clock.js';

/**
 * What a tab tells the others.
 * @typedef {object} Note
 * @property {string} tab
 * @property {Record<string, number>} [entries] the last entry of a table
 * @property {Record<string, (number | null)[]>} [here] the seats connected to a table, null for spectators
 * @property {string[]} [asking] tables: who is there?
 * @property {{table: string, seat: number, reaction: string}} [reaction]
 * @property {string} [removed] a table
 *
 * @typedef {object} Listener
 * @property {(table: string, seq: number) => void} entry
 * @property {(table: string, tab: string, seats: (number | null)[]) => void} here
 * @property {(tables: string[]) => void} asked
 * @property {(tab: string) => void} silent a tab was closed
 * @property {(table: string, seat: number, reaction: string) => void} reaction
 * @property {(table: string) => void} removed
 */

const CHANNEL = 'lastcard';

export class Tabs {
  /**
   * @param {string} tab a name that no other tab has
   * @param {import('./times.js').Times} times
   * @param {Listener} listener
   */
  constructor(tab, times, listener) {
    this._tab = tab;
    this._times = times;
    this._listener = listener;
    /** @type {Map<string, number>} */
    this._heard = new Map(); // when each tab was last heard
    this._channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(CHANNEL) : null;
    if (this._channel) this._channel.onmessage = ({ data }) => this._hear(data);
  }

  close() {
    this._channel?.close();
    this._channel = null;
  }

  /** @param {Omit<Note, 'tab'>} note */
  tell(note) {
    this._channel?.postMessage({ tab: this._tab, ...note });
  }

  /** @param {Note} note */
  _hear({ tab, entries = {}, here = {}, asking = [], reaction, removed }) {
    this._heard.set(tab, now());
    const { _listener: listener } = this;
    for (const [table, seq] of Object.entries(entries)) listener.entry(table, seq);
    for (const [table, seats] of Object.entries(here)) listener.here(table, tab, seats);
    if (asking.length) listener.asked(asking);
    if (reaction) listener.reaction(reaction.table, reaction.seat, reaction.reaction);
    if (removed) listener.removed(removed);
  }

  /** A tab that was killed says no goodbye. */
  forgetTheSilent() {
    const since = now() - this._times.silence;
    for (const [tab, heard] of this._heard) {
      if (heard > since) continue;
      this._heard.delete(tab);
      this._listener.silent(tab);
    }
  }
}
