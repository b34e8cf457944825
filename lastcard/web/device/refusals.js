// Refusals: a closed list of codes, each with a sentence in English, as in docs/protocol.md.

/** What a request is answered with, by the code of its refusal. @type {Record<string, number>} */
const STATUS = {
  malformed: 400, unauthorized: 401, not_found: 404, bad_setup: 400, bad_name: 400, full: 409, not_seated: 403,
  not_now: 409, illegal: 409, too_fast: 429, unavailable: 503,
  // Only on a device: a journal that cannot be read, and no engine.
  damaged: 409, no_device: 503,
};

/** A table will not do what was asked. Nothing has changed then. */
export class Refused extends Error {
  /** @param {string} code @param {string} text */
  constructor(code, text) {
    super(text);
    this.code = code;
  }

  get status() {
    return STATUS[this.code] ?? 409;
  }
}

/** Whatever went wrong, as a refusal. @param {unknown} problem */
export function refusalOf(problem) {
  if (problem instanceof Refused) return problem;
  console.error(problem);
  return new Refused('unavailable', 'Something went wrong here. Try again.');
}
