// What the device needs of the games: their engines, and the examples in their rules, fetched when first needed.

import { Engine } from './engine.js';
import { Network } from './network.js';
import { Refused } from './refusals.js';

const GAMES = new URL('../../games/', import.meta.url).href;

/** @type {Map<string, Promise<Engine>>} */
const loaded = new Map();
/** @type {Map<string, Promise<Network>>} */
const networks = new Map();
/** @type {Map<string, Promise<Record<string, import('./examples.js').Compiled>>>} */
const examples = new Map();

/** A file of a game, as served beside the page. @param {string} game @param {string} name @returns {Promise<Response>} */
async function fileOf(game, name) {
  const answer = await fetch(`${GAMES}${encodeURIComponent(game)}/${name}`).catch(() => null);
  if (!answer?.ok) throw new Refused('no_device', `${game}: ${name} cannot be loaded.`);
  return answer;
}

/** @param {string} game @returns {Promise<Engine>} */
export const engineOf = (game) => once(loaded, game, load);

/** What a self-taught bot plays by. @param {string} game @returns {Promise<Network>} */
export const networkOf = (game) => once(networks, game, async () => {
  const engine = await engineOf(game);
  const [{ sizes, content }, belief] = await Promise.all([
    trained(game, 'network'), engine.facts.belief ? trained(game, 'belief') : null,
  ]);
  return new Network(engine, sizes, content, belief);
});

/** @param {string} game @param {string} name @returns {Promise<import('./network.js').Trained>} */
async function trained(game, name) {
  const [facts, content] = await Promise.all([fileOf(game, `learned/${name}.json`), fileOf(game, `learned/${name}.bin`)]);
  return { sizes: (await facts.json()).sizes, content: new Uint8Array(await content.arrayBuffer()) };
}

/** @param {string} game @returns {Promise<Record<string, import('./examples.js').Compiled>>} by their names */
export const examplesOf = (game) => once(examples, game, async () => (await fileOf(game, 'examples.json')).json());

/**
 * Asked for once, unless that fails.
 * @template T
 * @param {Map<string, Promise<T>>} known
 * @param {string} game
 * @param {(game: string) => Promise<T>} make
 */
function once(known, game, make) {
  const made = known.get(game) ?? make(game);
  known.set(game, made);
  made.catch(() => known.delete(game)); // the next request tries again
  return made;
}

/** @param {string} game */
async function load(game) {
  const [facts, wasm] = await Promise.all([fileOf(game, 'engine/engine.json'), fileOf(game, 'engine/engine.wasm')]);
  try {
    return await Engine.load(await wasm.arrayBuffer(), await facts.json());
  } catch (problem) {
    console.error(problem);
    throw new Refused('no_device', `${game}: the engine does not run here.`);
  }
}
