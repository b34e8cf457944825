// The time left for a move.

const LATE = 6; // seconds left

export class Clock {
  constructor() {
    this._ends = 0; // a time in milliseconds; 0 without a clock
  }

  /** @param {number | null} seconds */
  set(seconds) {
    this._ends = seconds === null ? 0 : Date.now() + 1000 * seconds;
  }

  /** Seconds, or null. */
  get left() {
    return this._ends ? Math.max(0, (this._ends - Date.now()) / 1000) : null;
  }

  get late() {
    return this.left !== null && this.left < LATE;
  }

  get text() {
    if (this.left === null) return '';
    const seconds = Math.ceil(this.left), hours = Math.floor(seconds / 3600);
    const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
    const minutes = Math.floor(seconds / 60);
    return `${hours ? `${hours}:${two(minutes % 60)}` : minutes}:${two(seconds % 60)}`;
  }
}
