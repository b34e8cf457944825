// What bots decide, from the hidden records of seats.
// usage: node bots.mjs PACKAGE < [{game, seed, sights: [[hidden, seat]], playouts, spaces, network: {sizes, content}}]

import { answer, engineOf, from, told } from './device.mjs';

const { decideEasily, decideNormally, newRng } = await from('device/bots.js');
const { Network } = await from('device/network.js');
const { judge, Space } = await from('device/search.js');
const { unhex } = await from('device/shuffle.js');

async function decided({ game, seed, sights, playouts, spaces, network: { sizes, content } }) {
  const engine = await engineOf(game), seen = sights.map(([hidden, seat]) => [unhex(hidden), seat]);
  const by = (decide, rng = newRng(BigInt(seed))) =>
    seen.map(([hidden, seat]) => decide(engine, hidden, seat, engine.legal(hidden, seat), rng));
  const search = (count) => {
    const all = Array.from({ length: count }, (_, number) => new Space(engine, (BigInt(seed) << 8n) | BigInt(number)));
    return seen.map(([hidden, seat]) => judge(all, hidden, seat, { budget: { playouts } }));
  };
  const network = new Network(engine, sizes, unhex(content));
  const learned = seen.map(([hidden, seat]) => network.choose(hidden, seat, engine.legal(hidden, seat)));
  const scores = seen.map(([hidden, seat]) => [...engine.weigh(hidden, seat, network)]);
  const liked = seen.map(([hidden, seat]) => network.liked(hidden, seat, engine.legal(hidden, seat)));
  return { liked, easy: by(decideEasily), normal: by(decideNormally), search: spaces.map(search), learned, scores };
}

const answers = [];
for (const one of told()) answers.push(await decided(one));
answer(answers);
