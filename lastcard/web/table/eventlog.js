// What has happened in a match, as far as this page knows.

const MOST_VERSIONS = 400;

/** @typedef {import('../types').Happening} Happening */

export class EventLog {
  constructor() {
    /** @type {Map<number, Happening[]>} */
    this._events = new Map(); // by version
    this.complete = false; // whether it goes back to the deal
    /** @type {object | null} */
    this._request = null; // the one for earlier events, while it is under way
  }

  get loading() {
    return this._request !== null;
  }

  /** @param {number} version @param {Happening[]} events */
  add(version, events) {
    this._events.set(version, events);
    if (this._events.size > MOST_VERSIONS) this._events.delete(Math.min(...this._events.keys()));
  }

  /** Something may have been missed: it has to be loaded again. */
  doubt() {
    this.complete = false;
    this._request = null;
  }

  forget() {
    this._events.clear();
    this.doubt();
  }

  /** Events in order, up to a version. @param {number} version */
  upTo(version) {
    return [...this._events].filter(([known]) => known <= version)
      .sort(([one], [other]) => one - other).flatMap(([, events]) => events);
  }

  /**
   * Adds earlier steps. Whether they still belong here: they may have been forgotten meanwhile.
   * @param {() => Promise<{version: number, events: Happening[]}[]>} ask
   */
  async load(ask) {
    const request = (this._request = {});
    const steps = await ask();
    if (this._request !== request) return false;
    this._request = null;
    this.complete = true;
    for (const { version, events } of steps) this._events.set(version, events);
    return true;
  }
}
