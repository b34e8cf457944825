// What went wrong, by a code: docs/protocol.md.

/** A request was refused: the code is one of the protocol's, "offline", or "no_device". */
export class Refused extends Error {
  /** @param {string} code @param {string} text @param {Record<string, any>} [values] for the words of the code */
  constructor(code, text, values = {}) {
    super(text);
    this.code = code;
    this.values = values;
  }
}
