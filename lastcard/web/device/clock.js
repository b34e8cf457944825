// The time at tables: seconds since 1970 that never go backwards, however the device's clock is set.

const BEGAN = (Date.now() - performance.now()) / 1000;

export const now = () => BEGAN + performance.now() / 1000;

/** A time from a journal, at most now: the clock may have been wrong when it was written. @param {number} at */
export const notLater = (at) => Math.min(at, now());
