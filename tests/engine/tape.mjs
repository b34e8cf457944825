// Runs a tape (tape.py) again with a game's WebAssembly module.
// usage: node tape.mjs engine.wasm engine.json TAPE

import { readFileSync } from 'node:fs';

const [, , library, list, path] = process.argv;
const { functions } = JSON.parse(readFileSync(list, 'utf8'));
const names = Object.keys(functions);
const module = await WebAssembly.compile(readFileSync(library));
if (WebAssembly.Module.imports(module).length) throw new Error('it needs something from outside');
const { exports } = await WebAssembly.instantiate(module, {});
const tape = readFileSync(path);
const start = (Number(exports.__heap_base.value) + 63) & ~63;

let at = 0;
let calls = 0;

function block() {
  const size = tape.readUInt32LE(at);
  at += 4 + size;
  return tape.subarray(at - size, at);
}

function need(bytes) {
  const missing = bytes - exports.memory.buffer.byteLength;
  if (missing > 0) exports.memory.grow(Math.ceil(missing / 65536));
}

while (at < tape.length) {
  const name = names[tape.readUInt32LE(at)];
  const { arguments: wanted, returns } = functions[name];
  at += 4;
  let free = start;
  const places = [];
  const values = wanted.map(({ type }) => {
    if (type === 'address') {
      const bytes = block();
      const place = free;
      free = (free + bytes.length + 63) & ~63;
      need(free);
      new Uint8Array(exports.memory.buffer).set(bytes, place);
      places.push([place, bytes.length]);
      return place;
    }
    at += 8;
    return type === 'int64' ? tape.readBigInt64LE(at - 8) : tape.readDoubleLE(at - 8);
  });
  const result = exports[name](...values);
  const expected = tape.subarray(at, at + 8);
  at += 8;
  const found = Buffer.alloc(8);
  if (returns === 'int64') found.writeBigInt64LE(result);
  if (returns === 'float64') found.writeDoubleLE(result);
  if (returns && !found.equals(expected)) throw new Error(`call ${calls}: ${name}`);
  for (const [place, size] of places) {
    const now = Buffer.from(exports.memory.buffer, place, size);
    if (!now.equals(block())) throw new Error(`call ${calls}: what ${name} wrote`);
  }
  calls += 1;
}
console.log(calls);
