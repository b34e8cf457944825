// Inviting others: the link to a table, and copying it.

import { h } from './dom.js';

/**
 * @typedef {object} Invitation
 * @property {string} link
 * @property {boolean} others whether other devices can reach it
 */

/**
 * @param {import('../types').Offered} offered what the server offers
 * @param {string} table
 * @returns {Invitation}
 */
export function invitation(offered, table) {
  const { base, others } = offered.invite ?? { base: '', others: false };
  return { link: `${base}/t/${table}`, others };
}

/** Copies a text; returns whether it worked. @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text); // there is no clipboard over plain HTTP, as in a home network
  }
}

/** The old way: select the text, then copy the selection. @param {string} text */
function copySelected(text) {
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  const area = /** @type {HTMLTextAreaElement} */ (h('textarea', { class: 'unseen', readonly: true, 'aria-hidden': 'true', tabindex: -1 }, text));
  (document.querySelector('dialog:modal') ?? document.body).append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  before?.focus({ preventScroll: true });
  return done;
}
