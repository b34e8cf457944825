// Houses as workers have them, over standard input and output: one JSON message in each line, with the name of its
// house. Several may share what is kept, like tabs.
// usage: node house.mjs PACKAGE [SPEED]: how much faster time goes by

import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { PACKAGE, engineOf, from } from './device.mjs';

let luck = 7n; // instead of random bytes; "make" may say where it begins, or that it is always the same
let fixed = null;
Object.defineProperty(globalThis, 'crypto', { value: { getRandomValues: (bytes) => {
  for (const place of bytes.keys()) {
    luck = (luck * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    bytes[place] = fixed ?? Number(luck >> 56n);
  }
  return bytes;
} } });

const speed = Number(process.argv[3] ?? 1), { setTimeout: later } = globalThis, now = performance.now.bind(performance);
performance.now = () => speed * now();
globalThis.setTimeout = (work, ms) => later(work, ms / speed);

const { House, Line } = await from('device/house.js');
const { Refused } = await from('device/refusals.js');
const { answerOf } = await from('device/requests.js');
const { Memory, Store } = await from('device/store.js');
const { Thinkers } = await from('device/thinkers.js');
const { TIMES } = await from('device/times.js');

const tell = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
console.error = () => {};

/** A disk that is full after some entries. */
class Small extends Memory {
  async append(line) {
    if ((this.room -= 1) < 0) throw new DOMException('', 'QuotaExceededError');
    return super.append(line);
  }
}

/** A thinker in Node's clothes. */
function thread() {
  const script = pathToFileURL(join(PACKAGE, 'web', 'device', 'thinker.js')).href;
  const worker = new Worker(new URL('thread.mjs', import.meta.url), { workerData: script });
  const made = { postMessage: (message) => worker.postMessage(message), terminate: () => worker.terminate() };
  worker.on('message', (data) => made.onmessage({ data }));
  worker.on('error', () => made.onerror());
  return made;
}
const disks = new Map(), houses = new Map();

function make({ house: name, disk = name, room = Infinity, times = {}, fixed: byte = null, forbidden = false }) {
  fixed = byte;
  if (!disks.has(disk)) disks.set(disk, new Small());
  disks.get(disk).room = room;
  const open = async () => (forbidden ? Promise.reject(new DOMException('', 'SecurityError')) : disks.get(disk));
  const store = new Store(open, (why) => tell({ house: name, unkept: why }));
  const thinkers = new Thinkers({ make: thread, cores: 2, seed: 7n });
  const engines = (game) => engineOf(game).catch(() => {
    throw new Refused('no_device', '');
  });
  houses.set(name, { house: new House({ store, engineOf: engines, examplesOf: async () => ({}), thinkers, times: { ...TIMES, ...times } }), lines: new Map() });
}

async function hear({ house: name, ...data }) {
  if ('make' in data) return make({ house: name, ...data.make });
  if ('spoil' in data) {
    const { lines } = disks.get(data.disk)._tables.get(data.spoil);
    lines[data.at] = { table: data.spoil, seq: data.at + 1, ...lines[data.at], ...data.line };
    return undefined;
  }
  const { house, lines } = houses.get(name);
  if ('ask' in data) return tell({ house: name, answer: data.ask, ...await answerOf(house, data) });
  if ('open' in data) {
    const number = data.open;
    lines.set(number, new Line(house, data.table, (message) => tell({ house: name, from: number, message }), (code) => tell({ house: name, closed: number, code })));
  } else if ('say' in data) lines.get(data.say).receive(data.message);
  else if ('close' in data) lines.get(data.close).close();
  else if ('stop' in data) house.close();
}

for await (const line of createInterface({ input: process.stdin })) hear(JSON.parse(line));
process.exit(0);
