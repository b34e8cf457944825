// Says messages as the page would: a list of {language, game, reader, key, values} comes on the standard
// input, the texts go out as JSON. A value {seats, names, pronouns} is somebody at a table, or several.
// usage: node say.mjs PACKAGE

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

globalThis.document = { documentElement: {} };
const load = async (...path) => import(pathToFileURL(join(process.argv[2], ...path)).href);
const { learn, named, readBy, speak, t } = await load('web', 'lib', 'words.js');
const { lines, seating } = await load('web', 'table', 'words.js');

const missing = [];
console.error = (text) => missing.push(text);
const said = [];
for (const { language, game, reader = null, key, values = {}, events, table } of JSON.parse(readFileSync(0, 'utf8'))) {
  await speak(language);
  if (game) await learn(game);
  readBy(reader);
  if (events) {
    const { default: face } = await load('games', game, 'face', 'game.js');
    said.push(lines(face, events, seating(table, null)));
    continue;
  }
  said.push(t(key, Object.fromEntries(Object.entries(values).map(([name, value]) =>
    [name, value.seats ? named(value, ...value.seats) : value]))));
}
console.log(JSON.stringify({ said, missing }));
