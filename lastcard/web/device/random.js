// The one place that random bytes come from.

/** @param {number} count */
export const randomBytes = (count) => crypto.getRandomValues(new Uint8Array(count));
