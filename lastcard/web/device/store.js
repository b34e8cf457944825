// The journals of all tables on this device, in IndexedDB: what is written stays, and the key [table, seq] decides
// which of two tabs was quicker.
//
// Where nothing can be kept (storage is forbidden, full, or of another version), matches go on in memory, and the page
// is told once. What was kept before stays as it is.

/** @typedef {import('./entries.js').Line} Line */
/** @typedef {import('./table.js').Founded} Founded */

/**
 * A table's line in the list of this device's tables.
 * @typedef {object} Summary
 * @property {string} status
 * @property {string[]} names of people who have not left
 * @property {number[]} people their seats
 * @property {number} matches how many have begun
 * @property {number} over how many are over
 *
 * @typedef {Founded & {summary: Summary, at: number}} Listed `at`: when it last changed, in milliseconds
 *
 * What keeps journals: a database, or memory.
 * @typedef {object} Shelf
 * @property {(listed: Listed, lines: Line[]) => Promise<boolean>} found false if there is such a table already
 * @property {(line: Line) => Promise<'written' | 'overtaken' | 'gone'>} append
 * @property {(id: string, after: number) => Promise<Line[]>} lines
 * @property {(id: string) => Promise<Listed | undefined>} get
 * @property {() => Promise<Listed[]>} list
 * @property {(id: string, summary: Summary, at: number) => Promise<void>} relist
 * @property {(id: string) => Promise<void>} remove
 *
 * @typedef {'forbidden' | 'full' | 'blocked' | 'newer'} Why nothing is kept
 */

const NAME = 'lastcard';
/** @type {never[]} */
const LAST = []; // after every number, as IndexedDB orders keys

/** What each version of the database added. @type {((database: IDBDatabase) => void)[]} */
const UPGRADES = [
  (database) => {
    database.createObjectStore('tables', { keyPath: 'id' });
    database.createObjectStore('entries', { keyPath: ['table', 'seq'] });
  },
];

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const answered = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** @param {IDBTransaction} transaction @returns {Promise<void>} */
const finished = (transaction) => new Promise((resolve, reject) => {
  transaction.oncomplete = () => resolve();
  transaction.onabort = () => reject(transaction.error ?? new DOMException('', 'AbortError'));
});

/** @param {unknown} problem @returns {Why} */
function whyOf(problem) {
  const name = problem instanceof DOMException ? problem.name : '';
  if (name === 'QuotaExceededError') return 'full';
  if (name === 'VersionError') return 'newer';
  return name === 'Blocked' ? 'blocked' : 'forbidden';
}

/** @param {string} name @returns {Promise<IDBDatabase>} */
function openDatabase(name) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, UPGRADES.length); // throws where there is none
    request.onupgradeneeded = ({ oldVersion }) => UPGRADES.slice(oldVersion).forEach((upgrade) => upgrade(request.result));
    request.onblocked = () => reject(new DOMException('', 'Blocked')); // a tab of an older version does not let go
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      request.result.onversionchange = () => request.result.close(); // let a newer version have it
      resolve(request.result);
    };
  });
}

/** @implements {Shelf} */
export class Database {
  /** @param {string} [name] */
  static async open(name = NAME) {
    return new Database(await openDatabase(name));
  }

  /** @param {IDBDatabase} database */
  constructor(database) {
    this._database = database;
  }

  /** @param {Listed} listed @param {Line[]} lines */
  async found(listed, lines) {
    return this._write(['tables', 'entries'], (tables, entries) => {
      tables.add(listed);
      for (const line of lines) entries.add(line);
    });
  }

  /** @param {Line} line @returns {Promise<'written' | 'overtaken' | 'gone'>} */
  async append(line) {
    let there = true;
    const written = await this._write(['tables', 'entries'], (tables, entries) => {
      const asked = tables.getKey(line.table);
      asked.onsuccess = () => {
        there = asked.result !== undefined;
        if (there) entries.add(line);
      };
    });
    if (!there) return 'gone';
    return written ? 'written' : 'overtaken';
  }

  /** @param {string} id @param {number} after @returns {Promise<Line[]>} */
  async lines(id, after) {
    const { entries } = this._stores(['entries'], 'readonly');
    return answered(entries.getAll(IDBKeyRange.bound([id, after], [id, LAST], true)));
  }

  /** @param {string} id @returns {Promise<Listed | undefined>} */
  async get(id) {
    return answered(this._stores(['tables'], 'readonly').tables.get(id));
  }

  /** @returns {Promise<Listed[]>} */
  async list() {
    return answered(this._stores(['tables'], 'readonly').tables.getAll());
  }

  /** @param {string} id @param {Summary} summary @param {number} at */
  async relist(id, summary, at) {
    await this._write(['tables'], (tables) => {
      const asked = tables.get(id);
      asked.onsuccess = () => asked.result && tables.put({ ...asked.result, summary, at });
    });
  }

  /** @param {string} id */
  async remove(id) {
    await this._write(['tables', 'entries'], (tables, entries) => {
      tables.delete(id);
      entries.delete(IDBKeyRange.bound([id], [id, LAST]));
    });
  }

  /**
   * One transaction; false if a key was there already. Strict: what is answered is on disk.
   * @param {string[]} names
   * @param {(...stores: IDBObjectStore[]) => void} work
   */
  async _write(names, work) {
    const { transaction, ...stores } = this._stores(names, 'readwrite');
    const done = finished(transaction);
    work(...names.map((name) => stores[name]));
    try {
      await done;
      return true;
    } catch (problem) {
      if (problem instanceof DOMException && problem.name === 'ConstraintError') return false;
      throw problem;
    }
  }

  /** @param {string[]} names @param {IDBTransactionMode} mode @returns {{transaction: IDBTransaction} & Record<string, any>} */
  _stores(names, mode) {
    const transaction = this._database.transaction(names, mode, { durability: 'strict' });
    return { transaction, ...Object.fromEntries(names.map((name) => [name, transaction.objectStore(name)])) };
  }
}

/** The same, for as long as the tab is open. @implements {Shelf} */
export class Memory {
  constructor() {
    /** @type {Map<string, {listed: Listed, lines: Line[]}>} */
    this._tables = new Map();
  }

  /** @param {Listed} listed @param {Line[]} lines */
  async found(listed, lines) {
    if (this._tables.has(listed.id)) return false;
    this._tables.set(listed.id, structuredClone({ listed, lines }));
    return true;
  }

  /** @param {Line} line @returns {Promise<'written' | 'overtaken' | 'gone'>} */
  async append(line) {
    const lines = this._tables.get(line.table)?.lines;
    if (!lines) return 'gone';
    if (lines.some(({ seq }) => seq === line.seq)) return 'overtaken';
    lines.push(structuredClone(line));
    return 'written';
  }

  /** @param {string} id @param {number} after */
  async lines(id, after) {
    return structuredClone(this._tables.get(id)?.lines.filter(({ seq }) => seq > after) ?? []);
  }

  /** @param {string} id */
  async get(id) {
    return structuredClone(this._tables.get(id)?.listed);
  }

  async list() {
    return [...this._tables.values()].map(({ listed }) => structuredClone(listed));
  }

  /** @param {string} id @param {Summary} summary @param {number} at */
  async relist(id, summary, at) {
    const found = this._tables.get(id);
    if (found) found.listed = { ...found.listed, summary, at };
  }

  /** @param {string} id */
  async remove(id) {
    this._tables.delete(id);
  }
}

/** A database as long as it works; each table that it cannot keep goes on in memory. @implements {Shelf} */
export class Store {
  /**
   * @param {() => Promise<Shelf>} open
   * @param {(why: Why) => void} unkept called once
   */
  constructor(open, unkept) {
    this._memory = new Memory();
    this._unkept = unkept;
    this._told = false;
    /** @type {Map<string, Listed>} */
    this._seen = new Map(); // tables in use
    /** @type {Promise<Shelf | null>} */
    this._disk = Promise.resolve().then(open).catch((problem) => this._give(problem));
  }

  /** @param {Listed} listed @param {Line[]} lines */
  async found(listed, lines) {
    this._seen.set(listed.id, listed);
    return this._first((disk) => disk.found(listed, lines), () => this._memory.found(listed, lines));
  }

  /** @param {Line} line */
  async append(line) {
    if (await this._memory.get(line.table)) return this._memory.append(line);
    return this._first((disk) => disk.append(line), async () => {
      await this._carryOver(line.table);
      return this._memory.append(line);
    });
  }

  /** @param {string} id @param {number} after */
  async lines(id, after) {
    return (await this._shelf(id)).lines(id, after);
  }

  /** @param {string} id */
  async get(id) {
    const listed = await (await this._shelf(id)).get(id);
    if (listed) this._seen.set(id, listed);
    return listed;
  }

  async list() {
    const here = await this._memory.list(), disk = await this._disk;
    const kept = disk ? await disk.list().catch(() => []) : [];
    return [...here, ...kept.filter(({ id }) => !here.some((one) => one.id === id))];
  }

  /** @param {string} id @param {Summary} summary @param {number} at */
  async relist(id, summary, at) {
    await (await this._shelf(id)).relist(id, summary, at).catch((problem) => this._give(problem));
  }

  /** @param {string} id */
  async remove(id) {
    await this._memory.remove(id);
    await (await this._disk)?.remove(id);
  }

  /** @param {string} id @returns {Promise<Shelf>} */
  async _shelf(id) {
    const disk = await this._disk;
    return disk && !(await this._memory.get(id)) ? disk : this._memory;
  }

  /**
   * On disk, or else in memory.
   * @template T
   * @param {(disk: Shelf) => Promise<T>} work
   * @param {() => Promise<T>} otherwise
   */
  async _first(work, otherwise) {
    const disk = await this._disk;
    if (!disk) return otherwise();
    try {
      return await work(disk);
    } catch (problem) {
      this._give(problem);
      return otherwise();
    }
  }

  /** A table that can be kept no longer goes on in memory, with what was kept if that can be read. @param {string} id */
  async _carryOver(id) {
    const listed = this._seen.get(id), disk = await this._disk;
    if (listed) await this._memory.found(listed, await disk?.lines(id, 0).catch(() => []) ?? []);
  }

  /** @param {unknown} problem */
  _give(problem) {
    if (!this._told) this._unkept(whyOf(problem));
    this._told = true;
    return null;
  }
}
