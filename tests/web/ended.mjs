// Prints the tables at the ends of rounds, as the page puts them together, as JSON.
// usage: node ended.mjs PACKAGE GAME < CASES, a list of [view before the last move, events]

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [root, game] = process.argv.slice(2);
const { ended } = await import(pathToFileURL(join(root, 'games', game, 'face', 'ended.js')).href);
const cases = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify(cases.map(([before, events]) => {
  const was = JSON.stringify(before);
  const view = ended(before, events);
  if (JSON.stringify(before) !== was) throw new Error('the view before has changed');
  return view;
})));
