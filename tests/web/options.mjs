// Asks the page which options go together.
// usage: node options.mjs FOLDER < questions; a question is [game, players, options, changed]

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { barred, clashes, settled } = await import(pathToFileURL(join(process.argv[2], 'lib', 'options.js')).href);
const { games, questions } = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify(questions.map(([game, players, options, changed]) => ({
  clashes: clashes(games[game], players, options).length,
  settled: settled(games[game], players, options, changed),
  barred: barred(games[game], players, options).map(({ name, refused }) => [name, refused]),
}))));
