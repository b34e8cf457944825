// Several people on one device: whose seats are here, and the cover between two of them.

import { Connection } from '../lib/connection.js';
import { h } from '../lib/dom.js';
import { table as kept } from '../lib/settings.js';
import { t } from '../lib/words.js';

/** The seats of people on this device. @param {string} id of the table */
export const seatsHere = (id) => Object.keys(kept(id)?.tokens ?? {}).map(Number).sort((a, b) => a - b);

/** @param {string} id @param {number} seat */
export const tokenOf = (id, seat) => kept(id)?.tokens[seat] ?? null;

/**
 * Sends a request for somebody else on this device without showing their hand.
 * @param {string} id
 * @param {number} seat
 * @param {string} type
 * @returns {Promise<void>}
 */
export function requestAs(id, seat, type) {
  return new Promise((resolve) => {
    const other = new Connection(id, tokenOf(id, seat), async (message) => {
      if (message.type !== 'welcome') return;
      await other.request(type);
      other.close();
      resolve();
    }, (state) => state === 'gone' && resolve());
  });
}

/**
 * Hides everything until the next player has the device.
 * @param {{name: import('../lib/words.js').Person, tiles: boolean, picture: Node, uncover: () => void}} next
 */
export function cover({ name, tiles, picture, uncover }) {
  return h('div', { class: 'cover' }, picture,
    h('h2', {}, t('pass.to', { name })), h('p', {}, t(tiles ? 'pass.help.tiles' : 'pass.help')),
    h('button', { type: 'button', class: 'button', 'data-uncover': true, onclick: uncover }, t(tiles ? 'pass.me.tiles' : 'pass.me', { name })));
}
