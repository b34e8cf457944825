// How options are kept, by number of players; null where they are refused, and of what kind the refusal is.
// usage: node options.mjs PACKAGE < [[game, players, options]]

import { answer, engineOf, from, told } from './device.mjs';

const { BadOption, readOptions, writeOptions } = await from('device/options.js');

async function kept([game, players, options]) {
  const { facts } = await engineOf(game);
  try {
    const stored = readOptions(facts, options, players);
    return { stored, written: writeOptions(facts, stored) };
  } catch (problem) {
    if (!(problem instanceof BadOption)) throw problem;
    return { refused: problem.what };
  }
}

const answers = [];
for (const one of told()) answers.push(await kept(one));
answer(answers);
