// Lets thinkers decide: with workers that work, and with all kinds that do not.
// usage: node thinkers.mjs PACKAGE < {sights: [[game, hidden, seat]], levels, networks: {game: {sizes, content}}}

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { answer, engineOf, from, PACKAGE, told } from './device.mjs';

const { Thinkers } = await from('device/thinkers.js');
const { Network } = await from('device/network.js');
const { unhex } = await from('device/shuffle.js');

const { sights: seen, levels, networks } = told();
/** As a page asks for it. */
const networkOf = async (game) => new Network(await engineOf(game), networks[game].sizes, unhex(networks[game].content));

let made = 0, ended = 0, granted = 0;

/** A real worker of the page's module, in Node's clothes. */
function real(change = (data) => data) {
  const script = pathToFileURL(join(PACKAGE, 'web', 'device', 'thinker.js')).href;
  const worker = new Worker(new URL('thread.mjs', import.meta.url), { workerData: script });
  made += 1;
  const thread = {
    postMessage: (message) => worker.postMessage(change(message)),
    terminate: () => { ended += 1; return worker.terminate(); },
  };
  worker.on('message', (data) => thread.onmessage({ data }));
  worker.on('error', () => thread.onerror());
  return thread;
}

const refusing = () => { throw new Error('no workers here'); };
const dying = () => {
  const thread = { terminate() { ended += 1; }, postMessage: () => setTimeout(() => thread.onerror()) };
  made += 1;
  return thread;
};
/** Fails at its n-th batch. */
const failing = (batch) => () => {
  let batches = 0;
  return real((message) => {
    batches += message.work === 'sample' ? 1 : 0;
    if (batches >= batch) return { ...message, work: 'nothing' };
    granted += message.work === 'sample' ? message.given.worlds : 0;
    return message;
  });
};

async function trial(make, level, sights, cores, network = networkOf) {
  const thinkers = new Thinkers({ make, cores, seed: 7n, network });
  made = ended = granted = 0;
  const actions = [], [[engine, hidden, seat]] = sights;
  const advice = await thinkers.advise(engine, hidden, seat);
  const worlds = granted; // by those that fail
  for (const sight of sights) actions.push(await thinkers.decide(...sight, level));
  const workers = made;
  thinkers.close();
  const after = await thinkers.decide(engine, hidden, seat, level);
  return { actions, advice, worlds, workers, left: made - ended, after };
}

/** Several decisions at once, one of which nobody wants any more. */
async function crowd(sights) {
  const thinkers = new Thinkers({ make: real, cores: 3, seed: 7n, network: networkOf });
  made = ended = 0;
  const gone = new AbortController();
  const wanted = sights.map(([engine, hidden, seat]) => thinkers.decide(engine, hidden, seat, 'master'));
  const [engine, hidden, seat] = sights[0];
  const unwanted = thinkers.decide(engine, hidden, seat, 'search:500ms', gone.signal).catch((problem) => problem.name);
  gone.abort();
  const actions = await Promise.all(wanted);
  const result = { actions, unwanted: await unwanted, workers: made };
  thinkers.close();
  return result;
}

const sights = await Promise.all(seen.map(async ([game, hidden, seat]) => [await engineOf(game), unhex(hidden), seat]));
for (const [{ facts }] of sights) Object.assign(facts, { levels, learned: true });
answer({
  master: await trial(real, 'master', sights, 8),
  before: await trial(real, 'search:50ms', sights, 4),
  refusing: await trial(refusing, 'master', sights, 8),
  dying: await trial(dying, 'search:500ms', sights, 3),
  without: await trial(real, 'master', sights, 4, () => Promise.reject(new Error('offline'))),
  early: await trial(failing(1), 'master', sights, 8),
  late: await trial(failing(3), 'master', sights, 8),
  normal: await trial(refusing, 'normal', sights, 8),
  crowd: await crowd(sights),
});
