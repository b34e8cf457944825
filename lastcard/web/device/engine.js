// One game's rules: engine.wasm in memory, called as docs/engine.md says.
//
// Records live outside, as bytes that nobody changes: each call copies what it needs in and its result out, so that
// a match can be kept, sent and compared like any other value. The memory inside is laid out once.

/** @typedef {import('./types').Facts} Facts */
/** @typedef {import('./types').Log} Log */
/** @typedef {import('./types').Rng} Rng */

export const NOBODY = -1;
const LOG_ROWS = 512; // more events than any one action causes
const PAGE = 65536;
const ALIGNED = 64;

const decoder = new TextDecoder();

/**
 * Compiled as it comes: streaming would need a server that knows the type of the file.
 * @param {Promise<Response> | Response | BufferSource | WebAssembly.Module} source
 */
async function compiled(source) {
  const given = await source;
  if (given instanceof WebAssembly.Module) return given;
  if (!(given instanceof Response)) return WebAssembly.compile(given);
  if (!given.ok) throw new Error(`The engine cannot be loaded: ${given.status}.`);
  return WebAssembly.compile(await given.arrayBuffer());
}

export class Engine {
  /**
   * @param {Promise<Response> | Response | BufferSource | WebAssembly.Module} wasm
   * @param {Facts} facts the content of engine.json
   */
  static async load(wasm, facts) {
    const module = await compiled(wasm);
    return new Engine(module, await WebAssembly.instantiate(module, {}), facts);
  }

  /** @param {WebAssembly.Module} module @param {WebAssembly.Instance} instance @param {Facts} facts */
  constructor(module, instance, facts) {
    const { dimensions, layouts } = facts;
    this.module = module; // for other workers, which need not compile it again
    this.facts = facts;
    this.actions = facts.actions;
    this.call = /** @type {Record<string, (...args: (number | bigint)[]) => any>} */ (
      /** @type {unknown} */ (instance.exports));
    this.size = layouts.record.size;
    this.columns = dimensions.log_columns;
    this.numbers = new Map(facts.actions.map((name, number) => [name, number]));
    this._memory = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
    this._free = /** @type {WebAssembly.Global} */ (instance.exports.__heap_base).value;
    this.bytes = new Uint8Array(this._memory.buffer);
    this._record = this.reserve(this.size);
    this._before = this.reserve(this.size);
    this._legal = this.reserve(2 * dimensions.most_legal);
    this._options = this.reserve(2 * dimensions.options);
    this._rng = this.reserve(8);
    this._deal = this.reserve(layouts.deal.size);
    this._log = this.reserve(4 * LOG_ROWS * this.columns);
    this._out = this.reserve(layouts.text.size);
    this._scratch = this.reserve(layouts.text.size);
  }

  /** Room inside, zeroed, for as long as the engine lives. @param {number} bytes */
  reserve(bytes) {
    const at = Math.ceil(this._free / ALIGNED) * ALIGNED;
    this._free = at + bytes;
    const missing = this._free - this._memory.buffer.byteLength;
    if (missing > 0) {
      this._memory.grow(Math.ceil(missing / PAGE));
      this.bytes = new Uint8Array(this._memory.buffer);
    }
    return at;
  }

  /** @param {number} at @param {number} count */
  shorts(at, count) {
    return new Int16Array(this._memory.buffer, at, count);
  }

  // --- The record ---

  /**
   * A number in a record, by its field.
   * @param {Uint8Array} record
   * @param {string} field
   * @param {number} [place] in a field of several
   */
  read(record, field, place = 0) {
    const { offset, type } = this.facts.layouts.record.fields[field];
    const view = new DataView(record.buffer, record.byteOffset, record.byteLength);
    if (type === 'int8') return view.getInt8(offset + place);
    if (type === 'int16') return view.getInt16(offset + 2 * place, true);
    throw new Error(`${field} cannot be read: ${type}`);
  }

  /** The 32 bytes from which a match's cards and dice follow. @param {Uint8Array} record */
  key(record) {
    const { offset } = this.facts.layouts.record.fields.key;
    return record.slice(offset, offset + 32);
  }

  // --- Rules ---

  /** @param {number} players @param {number[]} stored the options @param {Uint8Array} key */
  deal(players, stored, key) {
    const { offset } = this.facts.layouts.record.fields.key;
    this.bytes.fill(0, this._record, this._record + this.size);
    this.bytes.set(key, this._record + offset);
    this.shorts(this._options, stored.length).set(stored);
    this.call.new(this._record, BigInt(players), this._options);
    return this._taken();
  }

  /** The seats that a match waits for, as bits. @param {Uint8Array} record */
  waiting(record) {
    this._put(record);
    return Number(this.call.waiting(this._record));
  }

  /** The seats that may act although nobody waits for them, as bits. @param {Uint8Array} record */
  bystanders(record) {
    this._put(record);
    return Number(this.call.bystanders(this._record));
  }

  /** The numbers of a seat's legal actions. @param {Uint8Array} record @param {number} seat */
  legal(record, seat) {
    this._put(record);
    const count = Number(this.call.legal(this._record, BigInt(seat), this._legal));
    return [...this.shorts(this._legal, count)];
  }

  /**
   * What a legal action leads to.
   * @param {Uint8Array} record
   * @param {number} seat
   * @param {number} action
   * @returns {{record: Uint8Array, log: Log}}
   */
  apply(record, seat, action) {
    this._put(record);
    const log = new Int32Array(this._memory.buffer, this._log, LOG_ROWS * this.columns);
    log.fill(0);
    this.call.apply(this._record, BigInt(seat), BigInt(action), this._log, BigInt(LOG_ROWS));
    return { record: this._taken(), log: log.slice(0, (1 + log[0]) * this.columns) };
  }

  /** The record with all blanked that a seat, or NOBODY, may not know. @param {Uint8Array} record @param {number} seat */
  hide(record, seat) {
    this._put(record);
    this.call.hide(this._record, BigInt(seat));
    return this._taken();
  }

  /** A hidden record with its blanks filled at random. @param {Uint8Array} hidden @param {number} seat @param {Rng} rng */
  guess(hidden, seat, rng) {
    this._put(hidden);
    return this._with(rng, (at) => {
      this.call.guess(this._record, BigInt(seat), at, this._deal);
      return this._taken();
    });
  }

  /** Which of some outcomes the dice draw. @param {Uint8Array} record @param {number} outcomes */
  toss(record, outcomes) {
    this._put(record);
    return Number(this.call.toss(this._record, BigInt(outcomes)));
  }

  /**
   * What the game's policy would do, or NOBODY.
   * @param {Uint8Array} hidden
   * @param {number} seat
   * @param {number[]} legal
   * @param {Rng} rng
   */
  choose(hidden, seat, legal, rng) {
    this._put(hidden);
    this.shorts(this._legal, legal.length).set(legal);
    return this._with(rng, (at) =>
      Number(this.call.choose(this._record, BigInt(seat), this._legal, BigInt(legal.length), at)));
  }

  /**
   * What a network gives for each action, and for waiting behind them.
   * @param {Uint8Array} hidden
   * @param {number} seat
   * @param {import('./network.js').Network} network
   */
  weigh(hidden, seat, network) {
    this._put(hidden);
    this.call.weigh(this._record, BigInt(seat), ...network.arguments);
    return new Int32Array(this._memory.buffer, network.out, network.actions + 1);
  }

  // --- What a seat may be told, as JSON: the very bytes that a server sends ---

  /** @param {Uint8Array} hidden @param {number} seat */
  view(hidden, seat) {
    this._put(hidden);
    return this._text(this.call.view(this._record, this._record, BigInt(seat), this._out));
  }

  /** The keys of a view that changed. @param {Uint8Array} before @param {Uint8Array} now @param {number} seat */
  changes(before, now, seat) {
    this._put(now);
    this.bytes.set(before, this._before);
    const records = [this._before, this._before, this._record, this._record];
    return this._text(this.call.changes(...records, BigInt(seat), this._scratch, this._out));
  }

  /** @param {Log} log @param {number} seat @param {boolean} open whether nothing is secret any more */
  events(log, seat, open) {
    new Int32Array(this._memory.buffer, this._log, log.length).set(log);
    const rows = BigInt(log.length / this.columns);
    return this._text(this.call.events(this._log, rows, BigInt(seat), BigInt(open), this._out));
  }

  /** The value of one key of a record, by its number. @param {Uint8Array} record @param {number} number */
  value(record, number) {
    this._put(record);
    return this._text(this.call.key(this._record, this._record, BigInt(number), this._out));
  }

  // --- Inside ---

  /** @param {Uint8Array} record */
  _put(record) {
    if (record.length !== this.size) throw new RangeError(`not a record of ${this.facts.game}`);
    this.bytes.set(record, this._record);
  }

  _taken() {
    return this.bytes.slice(this._record, this._record + this.size);
  }

  /** @template T @param {Rng} rng @param {(at: number) => T} work @returns {T} */
  _with(rng, work) {
    const inside = new BigUint64Array(this._memory.buffer, this._rng, 1);
    inside.set(rng);
    const result = work(this._rng);
    rng.set(inside);
    return result;
  }

  /** @param {bigint} size */
  _text(size) {
    if (size < 0n) throw new Error(`${this.facts.game}: a record cannot be told`);
    const { offset } = this.facts.layouts.text.fields.bytes;
    const start = this._out + offset;
    return decoder.decode(this.bytes.subarray(start, start + Number(size)));
  }
}
