// What happens at a table without anybody asking: bots, clocks, dice and agreements.

import { now } from './clock.js';
import { Refused } from './refusals.js';

/** @typedef {import('./hosted.js').HostedTable} HostedTable */

const AGAIN = 1; // seconds, after something went wrong
const HURRIED = 'normal'; // the level that plays for people who are gone

/**
 * One thing to do.
 * @typedef {object} Turn
 * @property {number} when
 * @property {import('./entries.js').Seat | null} seat null: bots are asked whether they act out of turn
 * @property {import('./entries.js').By | 'agreement'} by
 * @property {string} level
 * @property {number} ready a bot that has decided waits until then
 */

/** @param {Partial<Turn> & Pick<Turn, 'when' | 'seat' | 'by'>} one @returns {Turn} */
const turn = (one) => ({ level: HURRIED, ready: 0, ...one });

/** @param {(Turn | null)[]} turns */
const first = (turns) => turns.reduce((best, one) => (one && (!best || one.when < best.when) ? one : best), null);

/** @param {Turn} one @param {Turn | null} other */
const same = (one, other) => other !== null && JSON.stringify(one) === JSON.stringify(other);

/** Does what is due at each table, when it is due. */
export class Turns {
  /**
   * @param {import('./writer.js').Writer} writer
   * @param {import('./house.js').Thinking} thinkers
   * @param {import('./times.js').Times} times
   */
  constructor(writer, thinkers, times) {
    this._writer = writer;
    this._thinkers = thinkers;
    this._times = times;
  }

  /** What to do, and when, unless a player acts first. @param {HostedTable} hosted @returns {Turn | null} */
  _nextTurn(hosted) {
    const { table } = hosted, { waiting, chairs, since } = table;
    if (!waiting.length || !table.match) return null;
    if (waiting[0] === 'chance') return turn({ when: since, seat: 'chance', by: 'chance' });
    // Who may act out of turn is public, but not who has something to play: bots wait for all of them alike.
    const { bystanders } = table;
    const slow = table.personMoved || bystanders.some((seat) => chairs[seat]?.kind === 'person');
    const ready = since + hosted.pace(this._times, slow);
    /** @type {Turn[]} */
    const turns = [];
    if (hosted.asked !== table.version && bystanders.some((seat) => chairs[seat]?.kind === 'bot')) {
      turns.push(turn({ when: since, seat: null, by: 'bot', ready }));
    }
    for (const seat of /** @type {number[]} */ (waiting)) {
      const chair = chairs[seat];
      if (chair?.kind === 'bot') turns.push(turn({ when: since, seat, by: 'bot', level: chair.level, ready }));
      else if (hosted.here.size) turns.push(...this._standIns(hosted, seat, ready)); // with nobody here, nobody has to hurry
    }
    return first(turns);
  }

  /** Everybody may have agreed, now that the others have disconnected or left. @param {HostedTable} hosted @returns {Turn | null} */
  _agreement(hosted) {
    const { table, gone } = hosted, { agreed, setup: { grace } } = table;
    if (!agreed.size || !['playing', 'over'].includes(table.status)) return null;
    const missing = [...hosted.electorate].filter((seat) => !agreed.has(seat));
    if (missing.some((seat) => !gone.has(seat) || grace === null)) return null;
    const ends = missing.map((seat) => (gone.get(seat) ?? 0) + (grace ?? 0));
    return turn({ when: Math.max(0, ...ends), seat: Math.min(...agreed), by: 'agreement' });
  }

  /** Who moves for a person: a bot once they have left or are gone too long, or the clock. @param {HostedTable} hosted @param {number} seat @param {number} ready */
  _standIns(hosted, seat, ready) {
    const { grace, clock } = hosted.table.setup, gone = hosted.gone.get(seat), turns = [];
    if (hosted.table.chairs[seat]?.left) turns.push(turn({ when: ready, seat, by: 'bot' }));
    else if (grace !== null && gone !== undefined) turns.push(turn({ when: Math.max(ready, gone + grace), seat, by: 'bot' }));
    if (clock !== null) turns.push(turn({ when: hosted.clockOf(seat), seat, by: 'clock' }));
    return turns;
  }

  /** Nothing goes on at a table that nobody looks at in this tab. @param {HostedTable} hosted @param {number} [wait] seconds at least */
  schedule(hosted, wait = 0) {
    this.cancel(hosted);
    const { table } = hosted;
    if (table.waiting.some((seat) => hosted.hurried.has(/** @type {number} */ (seat)))) hosted.hurried.clear(); // one of them is to move again
    if (!hosted.clients.size) return;
    // The next turn may be under way already.
    const due = first([hosted.thinking === table.version ? null : this._nextTurn(hosted), this._agreement(hosted)]);
    if (!due) return;
    // The tab that wrote the last entry takes the next turn: step in only if it fails to.
    const late = hosted.mine || !hosted.elsewhere.size ? 0 : this._times.others;
    hosted.timer = setTimeout(() => {
      hosted.timer = undefined;
      this._takeTurn(hosted, due);
    }, 1000 * Math.max(due.when + late - now(), wait));
  }

  /** @param {HostedTable} hosted */
  cancel(hosted) {
    clearTimeout(hosted.timer);
    hosted.timer = undefined;
  }

  /** Does what was due, if it still is. @param {HostedTable} hosted @param {Turn} due */
  async _takeTurn(hosted, due) {
    if (!same(due, this._nextTurn(hosted)) && !same(due, this._agreement(hosted))) {
      this.schedule(hosted);
      return;
    }
    const version = (hosted.thinking = hosted.table.version);
    let wait = 0;
    try {
      if (due.by === 'agreement') await this._writer.inTurn(hosted, () => this._agree(hosted));
      else if (due.seat === null) await this._askBystanders(hosted, due.ready);
      else await this._standIn(hosted, due.seat, due.by, due);
    } catch (problem) {
      if (!(problem instanceof Refused)) console.error(problem);
      wait = AGAIN;
    }
    if (hosted.thinking === version) hosted.thinking = -1; // not a later turn
    // Where nobody has moved, a timer that was set meanwhile leaves out what was under way.
    if (wait || hosted.timer === undefined || hosted.table.version === version) this.schedule(hosted, wait);
  }

  /** @param {HostedTable} hosted */
  async _agree(hosted) {
    const { agreed, chairs } = hosted.table;
    if (!agreed.size || ![...hosted.electorate].every((seat) => agreed.has(seat))) return;
    const seat = Math.min(...agreed);
    await this._writer.write(hosted, { is: 'agreed', seat, all: true, seed: chairs[seat]?.seed ?? null });
  }

  /** @param {HostedTable} hosted @param {number} ready */
  async _askBystanders(hosted, ready) {
    const { table } = hosted, { match, version, bystanders } = table;
    hosted.asked = version;
    if (!match) return;
    for (const seat of bystanders) {
      const chair = table.chairs[seat];
      if (chair?.kind !== 'bot' || table.version !== version) continue;
      const action = await this._thinkers.decide(table.engine, match.hidden(seat), seat, chair.level);
      await waitUntil(hosted, ready); // thinking time must not give anything away
      if (action !== null) await this._move(hosted, seat, action, version, 'bot');
    }
  }

  /**
   * @param {HostedTable} hosted
   * @param {import('./entries.js').Seat} seat
   * @param {import('./entries.js').By} by
   * @param {{level: string, ready: number}} how
   */
  async _standIn(hosted, seat, by, { level, ready }) {
    const { match, version, engine } = hosted.table;
    if (!match) return;
    if (seat === 'chance') {
      await this._move(hosted, seat, match.tossed(), version, by);
      return;
    }
    const action = await this._thinkers.decide(engine, match.hidden(seat), seat, level);
    await waitUntil(hosted, ready);
    if (action !== null) await this._move(hosted, seat, action, version, by);
  }

  /**
   * @param {HostedTable} hosted
   * @param {import('./entries.js').Seat} seat
   * @param {number} action
   * @param {number} version
   * @param {import('./entries.js').By} by
   */
  _move(hosted, seat, action, version, by) {
    return this._writer.inTurn(hosted, async () => {
      const { table } = hosted;
      if (table.version !== version || table.status !== 'playing') return;
      await this._writer.write(hosted, { is: 'moved', seat, action: table.engine.actions[action] ?? '', by });
    });
  }
}

/** Returns earlier if everybody is in a hurry. @param {HostedTable} hosted @param {number} when @returns {Promise<void>} */
function waitUntil(hosted, when) {
  const left = when - now();
  if (left <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      hosted.pausing.delete(wake);
      resolve();
    };
    const timer = setTimeout(wake, 1000 * left);
    hosted.pausing.add(wake);
  });
}
