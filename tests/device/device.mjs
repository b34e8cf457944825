// What scripts of this folder begin with: the device's modules, the engines, what they are told, how they answer.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export const PACKAGE = process.argv[2];

/** A module of the page. */
export const from = (path) => import(pathToFileURL(join(PACKAGE, 'web', path)).href);

const engines = new Map();

/** The engine of a game, loaded once. */
export async function engineOf(game) {
  const { Engine } = await from('device/engine.js');
  const file = (name) => readFileSync(join(PACKAGE, 'games', game, 'engine', name));
  if (!engines.has(game)) engines.set(game, await Engine.load(file('engine.wasm'), JSON.parse(file('engine.json'))));
  return engines.get(game);
}

export const told = () => JSON.parse(readFileSync(0, 'utf8'));
export const answer = (value) => process.stdout.write(JSON.stringify(value));
