// A worker that measures the games as the page runs them: browser.py says what, and compares.

import { newRng } from '/web/device/bots.js';
import { Engine } from '/web/device/engine.js';
import { judge, Space } from '/web/device/search.js';
import { unhex } from '/web/device/shuffle.js';

const BATCH = 50; // ms between looks at the clock
const SEED = 1n;

/** Each makes a function that does something so many times and returns how much was done. */
const MEASURED = {
  random(engine, { players, options }) {
    const { size, facts } = engine, { most_legal } = facts.dimensions;
    const [record, legal, stored, rng] = [size, 2 * most_legal, 2 * options.length, 8].map((bytes) => engine.reserve(bytes));
    engine.shorts(stored, options.length).set(options);
    new BigUint64Array(engine.bytes.buffer, rng, 1).set(newRng(SEED));
    let played = 0;
    return (matches) => {
      const first = BigInt(played);
      played += matches;
      return Number(engine.call.play_many(record, first, BigInt(matches), BigInt(players), stored, rng, legal, 0, 0n));
    };
  },

  policy(engine, { sights }) {
    const seen = sights.map(([hidden, seat, legal]) => [unhex(hidden), seat, legal]), rng = newRng(SEED);
    return (times) => {
      for (let time = 0; time < times; time += 1) {
        for (const [hidden, seat, legal] of seen) engine.choose(hidden, seat, legal, rng);
      }
      return times * seen.length;
    };
  },

  search(engine, { sights, playouts }) {
    const space = new Space(engine, SEED << 8n);
    let next = 0;
    return (times) => {
      let tried = 0;
      for (let time = 0; time < times; time += 1, next += 1) {
        const [hidden, seat] = sights[next % sights.length];
        tried += judge([space], unhex(hidden), seat, { budget: { playouts } }).reduce((sum, { worlds }) => sum + worlds, 0);
      }
      return tried;
    };
  },
};

/** How much is done in a second. */
function speed(batch, seconds) {
  let size = 1;
  for (let started = performance.now(); ; size *= 2, started = performance.now()) {
    batch(size);
    if (performance.now() - started >= BATCH) break;
  }
  const started = performance.now();
  let done = 0;
  while (performance.now() - started < 1000 * seconds) done += batch(size);
  return (1000 * done) / (performance.now() - started);
}

const batches = new Map();

addEventListener('message', async ({ data: { what, game, given, seconds } }) => {
  const name = `${what} ${game}`, folder = `/games/${game}/engine`;
  if (!batches.has(name)) {
    const facts = await (await fetch(`${folder}/engine.json`)).json();
    batches.set(name, MEASURED[what](await Engine.load(fetch(`${folder}/engine.wasm`), facts), given));
  }
  postMessage(speed(batches.get(name), seconds));
});
