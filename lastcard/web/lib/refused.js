// What went wrong, by a code: docs/protocol.md.

/** A request was refused: the code is one of the protocol's, "offline", or "no_device". */
export class Refused extends Error {
  /** @param {string} code @param {string} text */
  constructor(code, text) {
    super(text);
    this.code = code;
  }
}
