// Plays the examples of games in every way given, from what was compiled of them.
// usage: node examples.mjs PACKAGE < [{game, compiled: {NAME: ...}, ways: {NAME: [[move, ...], ...]}}]

import { answer, engineOf, from, told } from './device.mjs';

const { exampleAnswer } = await from('device/examples.js');
const { Refused } = await from('device/refusals.js');

function played(engine, example, moves) {
  try {
    return JSON.parse(exampleAnswer(engine, example, moves));
  } catch (problem) {
    if (problem instanceof Refused) return problem.code;
    throw problem;
  }
}

const answers = [];
for (const { game, compiled, ways } of told()) {
  const engine = await engineOf(game);
  answers.push(Object.fromEntries(Object.entries(ways).map(([name, all]) =>
    [name, all.map((moves) => played(engine, compiled[name], moves))])));
}
answer(answers);
