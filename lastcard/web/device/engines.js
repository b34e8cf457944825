// The engines of the games, fetched when a game is first played.

import { Engine } from './engine.js';
import { Refused } from './refusals.js';

const GAMES = new URL('../../games/', import.meta.url).href;

/** @type {Map<string, Promise<Engine>>} */
const loaded = new Map();

/** A file of a game, as served beside the page. @param {string} game @param {string} name @returns {Promise<Response>} */
export async function fileOf(game, name) {
  const answer = await fetch(`${GAMES}${encodeURIComponent(game)}/${name}`).catch(() => null);
  if (!answer?.ok) throw new Refused('no_device', `${game}: ${name} cannot be loaded.`);
  return answer;
}

/** @param {string} game @returns {Promise<Engine>} */
export function engineOf(game) {
  const known = loaded.get(game) ?? load(game);
  loaded.set(game, known);
  known.catch(() => loaded.delete(game)); // the next request tries again
  return known;
}

/** @param {string} game */
async function load(game) {
  const [facts, wasm] = await Promise.all([
    fileOf(game, 'engine/engine.json').then((answer) => answer.json()),
    fileOf(game, 'engine/engine.wasm').then((answer) => answer.arrayBuffer()),
  ]);
  try {
    return await Engine.load(wasm, facts);
  } catch (problem) {
    console.error(problem);
    throw new Refused('no_device', `${game}: the engine does not run here.`);
  }
}
