// Plays a match of any game with nothing but what is built of it: engine.wasm and engine.json.
//
//   node examples/engine/match.mjs lastcard/games/chiko/engine [PLAYERS] [SEED]
//
// docs/engine.md says what the functions do. Everybody plays at random; what happens is printed.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , folder, players = '3', seed = '7'] = process.argv;
if (!folder) {
  console.error('usage: node match.mjs FOLDER [PLAYERS] [SEED], FOLDER with engine.wasm in it');
  process.exit(2);
}
const list = JSON.parse(readFileSync(join(folder, 'engine.json'), 'utf8'));
const { instance } = await WebAssembly.instantiate(readFileSync(join(folder, 'engine.wasm')), {});
const engine = instance.exports;

// Memory, handed out from the first free byte on.
let free = Number(engine.__heap_base.value);
function memory(bytes) {
  const at = (free + 63) & ~63;
  free = at + bytes;
  const missing = free - engine.memory.buffer.byteLength;
  if (missing > 0) engine.memory.grow(Math.ceil(missing / 65536));
  return at;
}

const { size, fields } = list.layouts.record;
const ROWS = 512; // of the log: more than any action needs
const record = memory(size);
const legal = memory(2 * list.dimensions.most_legal);
const options = memory(2 * list.dimensions.options);
const log = memory(4 * ROWS * list.dimensions.log_columns);
const words = (Kind, at, count) => new Kind(engine.memory.buffer, at, count);

// A match is its key, its options and its moves. Options are kept as small numbers.
words(Uint32Array, record + fields.key.offset, 8)[0] = Number(seed);
words(Int16Array, options, list.options.length).set(list.options.map(({ stored }) => stored));
engine.new(record, BigInt(players), options);

let random = Number(seed);
function below(n) {
  random = (Math.imul(random, 1664525) + 1013904223) >>> 0; // good enough for an example
  return Math.floor((random / 2 ** 32) * n);
}

function lowest(bits) {
  let seat = 0;
  while (!((bits >> BigInt(seat)) & 1n)) seat += 1;
  return seat;
}

let moves = 0;
for (let waited; (waited = engine.waiting(record)) !== 0n; moves += 1) {
  const seat = lowest(waited);
  const count = Number(engine.legal(record, BigInt(seat), legal));
  const action = words(Int16Array, legal, count)[below(count)];
  const rows = words(Int32Array, log, ROWS * list.dimensions.log_columns).fill(0);
  engine.apply(record, BigInt(seat), BigInt(action), log, BigInt(ROWS));
  console.log(`${seat === list.chance ? 'dice' : `seat ${seat}`}: ${list.actions[action]}`);
  for (let row = 1; row <= rows[0]; row += 1) {
    const [kind, who, , ...values] = rows.slice(
      row * list.dimensions.log_columns,
      (row + 1) * list.dimensions.log_columns,
    );
    const event = list.events[kind];
    const told = Object.entries(event.values).map(([name, names], place) =>
      `${name} ${names ? names.at(values[place]) : values[place]}`);
    console.log(`    ${event.kind}, seat ${who}${told.length ? `: ${told.join(', ')}` : ''}`);
  }
}

const scores = words(Int16Array, record + fields.scores.offset, Number(players));
console.log(`${list.title}: ${moves} moves, scores ${[...scores].join(', ')}`);
