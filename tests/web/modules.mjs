// Prints what the page's modules hold, as JSON: catalogues, rules pages, names of pictures.
// usage: node modules.mjs PACKAGE

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = process.argv[2];
const languages = ['en', 'he', 'ru'];
const load = async (...path) => import(pathToFileURL(join(root, ...path)).href);

// Drawings are made in functions, which nobody calls here.
const found = { shell: {}, games: {} };
for (const language of languages) found.shell[language] = (await load('web', 'words', `${language}.js`)).default;
for (const game of readdirSync(join(root, 'games'))) {
  const face = join('games', game, 'face');
  if (!existsSync(join(root, face))) continue;
  const here = { words: {}, rules: {}, pictures: Object.keys(await load(face, 'pictures.js')) };
  for (const language of languages) {
    here.words[language] = (await load(face, `words.${language}.js`)).default;
    here.rules[language] = (await load(face, `rules.${language}.js`)).default;
  }
  found.games[game] = here;
}

// What is filled in, by the page's own reading of its messages: name, how it is chosen by (a number or a
// person) and how many forms there are, those within forms included.
const { parse } = await load('web', 'lib', 'words.js');
const slots = (parts) => parts.flatMap((part) =>
  (typeof part === 'string' ? [] : [[part.name, part.by, part.forms.length], ...part.forms.flatMap(slots)]));
found.slots = {};
for (const words of [...Object.values(found.shell), ...Object.values(found.games).flatMap((one) => Object.values(one.words))])
  for (const text of Object.values(words)) found.slots[text] ??= slots(parse(text));
console.log(JSON.stringify(found));
