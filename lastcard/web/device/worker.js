// Where the worker begins: the page's requests and connections, answered by the house.

import { engineOf, examplesOf } from './engines.js';
import { House, Line } from './house.js';
import { answerOf } from './requests.js';
import { Database, Store } from './store.js';
import { Thinkers } from './thinkers.js';

/** @param {unknown} message */
const tell = (message) => self.postMessage(message);

const store = new Store(() => Database.open(), (why) => tell({ unkept: why }));
const house = new House({ store, engineOf, examplesOf, thinkers: new Thinkers() });
/** @type {Map<number, Line>} */
const lines = new Map();

/** @param {number} number @param {string} table */
function open(number, table) {
  lines.set(number, new Line(house, table, (message) => tell({ from: number, message }), (code) => {
    lines.delete(number);
    tell({ closed: number, code });
  }));
}

self.onmessage = async ({ data }) => {
  if ('ask' in data) tell({ answer: data.ask, ...await answerOf(house, data) });
  else if ('open' in data) open(data.open, data.table);
  else if ('say' in data) lines.get(data.say)?.receive(data.message);
  else if ('close' in data) lines.get(data.close)?.close();
};
tell({ ready: true });
