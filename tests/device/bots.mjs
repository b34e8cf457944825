// What bots decide, from the hidden records of seats.
// usage: node bots.mjs PACKAGE < [{game, seed, slips, sights: [[hidden, seat]], searches: [[manner, playouts, spaces]],
//   network: {sizes, content, belief}, shipped: {sizes, content}}]

import { answer, engineOf, from, told } from './device.mjs';

const { decideEasily, decideNormally, newRng } = await from('device/bots.js');
const { Network } = await from('device/network.js');
const { judge, readManner, Space } = await from('device/search.js');
const { unhex } = await from('device/shuffle.js');

async function decided({ game, seed, slips, sights, searches, network: { sizes, content, belief }, shipped }) {
  const engine = await engineOf(game), seen = sights.map(([hidden, seat]) => [unhex(hidden), seat]);
  const by = (decide, rng = newRng(BigInt(seed))) =>
    seen.map(([hidden, seat]) => decide(engine, hidden, seat, engine.legal(hidden, seat), rng, slips));
  const network = new Network(engine, sizes, unhex(content), { sizes: belief.sizes, content: unhex(belief.content) });
  const search = ([manner, playouts, count]) => {
    const all = Array.from({ length: count }, (_, number) => new Space(engine, (BigInt(seed) << 8n) | BigInt(number), network.trained));
    return seen.map(([hidden, seat]) => {
      const how = readManner(manner, engine, engine.read(hidden, 'players'));
      return judge(all, hidden, seat, { budget: { playouts }, manner: how });
    });
  };
  const learned = seen.map(([hidden, seat]) => network.choose(hidden, seat, engine.legal(hidden, seat)));
  const scores = seen.map(([hidden, seat]) => [...engine.weigh(hidden, seat, network)]);
  const opinions = seen.map(([hidden, seat]) => network.opinions(hidden, seat, engine.legal(hidden, seat)));
  const theirs = new Network(engine, shipped.sizes, unhex(shipped.content));
  const played = seen.map(([hidden, seat]) => theirs.choose(hidden, seat, engine.legal(hidden, seat)));
  return { opinions, played, easy: by(decideEasily), normal: by(decideNormally), search: searches.map(search), learned, scores };
}

const answers = [];
for (const one of told()) answers.push(await decided(one));
answer(answers);
