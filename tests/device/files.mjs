// Writes matches as files, and reads files.
// usage: node files.mjs PACKAGE < {write: [{game, players, options, key, moves, seats, shuffle}], read: [text]}

import { answer, engineOf, from, told } from './device.mjs';

const { BadFile, checkShuffle, dumps, read, replay } = await from('device/files.js');
const { Match } = await from('device/match.js');
const { hex, unhex } = await from('device/shuffle.js');

async function written({ game, players, options, key, moves, seats, shuffle }) {
  const match = Match.deal(await engineOf(game), { players, options, key: unhex(key) });
  for (const move of moves) match.play(...move);
  return dumps(match, { seats, shuffle });
}

async function found(text) {
  try {
    const file = read(text), match = replay(await engineOf('chiko'), file);
    if (file.shuffle) checkShuffle(file);
    return { state: hex(match.bytes), again: dumps(match, file) };
  } catch (problem) {
    if (!(problem instanceof BadFile)) throw problem;
    return { code: problem.code, values: problem.values };
  }
}

const { write, read: texts } = told();
const answers = { written: [], found: [] };
for (const one of write) answers.written.push(await written(one));
for (const one of texts) answers.found.push(await found(one));
answer(answers);
