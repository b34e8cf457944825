// Reads journals entry by entry and answers what everybody is told, how the table stands, what becomes of requests, and
// steps of replays in the end.
// usage: node table.mjs PACKAGE < [{founded, steps: [{line, back, requests}], replays: [{number, from, count, seat, open}]}]

import { answer, engineOf, from, told } from './device.mjs';

const { HostedTable } = await from('device/hosted.js');
const { Refused } = await from('device/refusals.js');
const { Memory, Store } = await from('device/store.js');
const { stepsOf } = await from('device/replay.js');
const { Table } = await from('device/table.js');
const { Writer } = await from('device/writer.js');

/** An entry without what is left at its default. */
const brief = (entry) => Object.fromEntries(Object.entries(entry).filter(([name, value]) =>
  value !== null && value !== '' && !(name === 'by' && value === 'player')));

function outcome(table, [name, ...given]) {
  const sets = given.map((one) => (Array.isArray(one) ? new Set(one) : one));
  try {
    const found = table[name](...sets);
    return found?.is ? brief(found) : found?.players ?? found ?? null;
  } catch (problem) {
    if (problem instanceof Refused) return problem.code;
    throw problem;
  }
}

const state = ({ status, seq, number, version, base, waiting, bystanders, askedAt, since, paused, nonMoves, keyDigits, match }) =>
  ({ status, seq, number, version, base, waiting, bystanders, askedAt: [...askedAt], since, paused, nonMoves, key: match ? keyDigits : null });

async function reading({ founded, steps, replays }) {
  const table = new Table(await engineOf(founded.setup.game), founded), hosted = new HostedTable(table);
  const store = new Store(async () => new Memory(), () => { throw new Error('it is kept'); });
  const writer = new Writer(store, { changed() {}, wrote() {} });
  await store.found({ ...founded, summary: {}, at: 0 }, []);
  const heard = [null, ...table.chairs.keys()].map((seat) => {
    const client = { seat, own: seat, said: [], send: (text) => client.said.push(JSON.parse(text)), close() {} };
    hosted.clients.add(client);
    return client;
  });
  const answers = [];
  for (const { line, back, requests } of steps) {
    for (const client of heard) client.said = [];
    await store.append({ ...line, table: founded.id });
    writer.readOn(hosted, line.seq);
    await hosted.locked(async () => {});
    const returned = back === null ? null : heard.find(({ own }) => own === back);
    if (returned) {
      returned.seat = back;
      hosted.welcome(returned);
    }
    answers.push({ said: heard.map(({ said }) => said), state: state(table), outcomes: requests.map((one) => outcome(table, one)) });
  }
  const lines = await store.lines(founded.id, 0);
  return { answers, replays: replays.map(({ number, ...wanted }) => replay(table, lines, number, wanted)) };
}

function replay(table, lines, number, wanted) {
  try {
    return JSON.parse(stepsOf(table, lines, number, wanted));
  } catch (problem) {
    if (problem instanceof Refused) return problem.code;
    throw problem;
  }
}

const all = [];
for (const one of told()) all.push(await reading(one));
answer(all);
