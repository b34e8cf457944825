// What bots decide, from the hidden records of seats.
// usage: node bots.mjs PACKAGE < [{game, seed, sights: [[hidden, seat]], playouts, spaces}]

import { answer, engineOf, from, told } from './device.mjs';

const { decideEasily, decideNormally, newRng } = await from('device/bots.js');
const { judge, Space } = await from('device/search.js');
const { unhex } = await from('device/shuffle.js');

async function decided({ game, seed, sights, playouts, spaces }) {
  const engine = await engineOf(game), seen = sights.map(([hidden, seat]) => [unhex(hidden), seat]);
  const by = (decide, rng = newRng(BigInt(seed))) =>
    seen.map(([hidden, seat]) => decide(engine, hidden, seat, engine.legal(hidden, seat), rng));
  const search = (count) => {
    const all = Array.from({ length: count }, (_, number) => new Space(engine, (BigInt(seed) << 8n) | BigInt(number)));
    return seen.map(([hidden, seat]) => judge(all, hidden, seat, { budget: { playouts } }));
  };
  return { easy: by(decideEasily), normal: by(decideNormally), search: spaces.map(search) };
}

const answers = [];
for (const one of told()) answers.push(await decided(one));
answer(answers);
