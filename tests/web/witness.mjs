// What a page remembers of a live match, told by messages such as the server sends.
// usage: node witness.mjs FOLDER; prints for each case what remains

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { Witness } = await import(pathToFileURL(join(process.argv[2], 'table', 'witness.js')).href);

class Shelf {
  constructor() { this.kept = new Map(); }
  get length() { return this.kept.size; }
  key(n) { return [...this.kept.keys()][n] ?? null; }
  getItem(key) { return this.kept.get(key) ?? null; }
  setItem(key, value) { this.kept.set(key, value); }
  removeItem(key) { this.kept.delete(key); }
}

const table = (more = {}) => ({ number: 1, commitment: 'first', next_commitment: null, status: 'playing',
  seats: [{ seed: 'a' }, { seed: null }], ...more });
const view = (n) => ({ round: 1, turn: n % 2, hands: [{ size: n, cards: [`card ${n}`] }] });
const welcome = (seat, version, more) => ({ type: 'welcome', seat, table: table(more), match: version && { number: 1, version, view: view(version) } });
const update = (version, seat = version % 2) => ({ type: 'update', version, seat, by: 'player', changes: view(version), events: [{ kind: 'played', seat }] });
const match = (version, of = version, number = 1) => ({ type: 'match', match: { number, version, view: view(of) } });

/** A page that hears some messages; a string does something to it. */
function page(shelf, ...messages) {
  let witness = new Witness('t', shelf);
  for (const message of messages) {
    if (message === 'reload') witness = new Witness('t', shelf);
    else if (message === 'pass on') witness.forget();
    else if (message === 'leave') witness.close();
    else witness.hear(message);
  }
  return witness;
}

const open = { type: 'table', table: table({ status: 'open', seats: [{ seed: null }, { seed: null }] }) };
const cases = {
  whole: [open, match(1), { type: 'table', table: table() }, update(2), update(3)],
  late: [welcome(0, 5), update(6)],
  undone: [welcome(0, 1), update(2, 0), update(3, 1), { type: 'undone', seat: 1 }, match(4, 2), update(5, 1)],
  gap: [welcome(0, 1), update(2, 0), update(3, 1), update(4, 1), welcome(0, 9), update(10, 0)],
  again: [welcome(0, 1), update(2), welcome(0, 2), match(2, 7), update(3)],
  reload: [welcome(0, 1), update(2), 'reload', welcome(0, 2), update(3)],
  passed: [welcome(0, 1), update(2), 'pass on', welcome(1, 3), update(4)],
  looked: [welcome(0, 1), update(2), 'reload', welcome(null, 2)],
  left: [welcome(0, 1), update(2), 'leave'],
  changed: [open, { type: 'table', table: table({ status: 'open', commitment: 'other' }) }, match(1), { type: 'table', table: table({ commitment: 'third' }) }],
  rematch: [welcome(0, 1), { type: 'table', table: table({ status: 'over', next_commitment: 'second' }) }, match(9, 9, 2),
    { type: 'table', table: table({ number: 2, commitment: 'other' }) }, update(10)],
};
const found = {};
for (const [name, messages] of Object.entries(cases)) {
  const shelf = new Shelf();
  const first = name === 'whole' || name === 'changed' ? [{ ...welcome(0, 0), table: open.table, match: null }] : [];
  const witness = page(shelf, ...first, ...messages);
  const seen = witness.testimony(name === 'rematch' ? 2 : 1);
  found[name] = {
    promise: seen && [seen.commitment, seen.early, seen.seeds],
    shown: seen?.shown.map((one) => [one.version, one.kind, one.events?.length ?? 0, one.view.hands[0].cards[0]]) ?? null,
    kept: [...shelf.kept.keys()].map((key) => key.replace('lastcard.witness.t.', '')).sort(),
  };
}
const endless = page(new Shelf(), welcome(0, 1), ...Array.from({ length: 40_000 }, (_, n) => update(n + 2)));
found.endless = endless.testimony(1).shown.length < 30_000;
class Small extends Shelf {
  setItem(key, value) {
    if (this.kept.size >= 4 && !this.kept.has(key)) throw new Error('full');
    super.setItem(key, value);
  }
}
const small = new Small();
new Witness('other', small).hear(welcome(0, 1));
const crowded = page(small, welcome(0, 1), update(2));
found.crowded = [crowded.testimony(1).shown.length, small.kept.has('lastcard.witness.other.0'), small.kept.has('lastcard.witness.t.0')];
const nowhere = page(null, welcome(0, 1), update(2));
found.nowhere = nowhere.testimony(1).shown.length;
console.log(JSON.stringify(found));
