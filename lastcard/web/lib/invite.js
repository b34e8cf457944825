// How others find a table: its link, as the server knows it, and how it gets from here to them.

import { h } from './dom.js';

/**
 * @typedef {object} Invitation
 * @property {string} link
 * @property {boolean} others whether other devices reach it
 */

/**
 * @param {any} offered what the server offers
 * @param {string} table
 * @returns {Invitation}
 */
export function invitation(offered, table) {
  const { base, others } = offered.invite;
  return { link: `${base}/t/${table}`, others };
}

/** Whether the text is copied now. @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyOld(text); // plain http, as in a network at home, has no clipboard
  }
}

/** The old way: something selected is copied. @param {string} text */
function copyOld(text) {
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  const area = /** @type {HTMLTextAreaElement} */ (h('textarea', { class: 'unseen', readonly: true, 'aria-hidden': 'true', tabindex: -1 }, text));
  (document.querySelector('dialog:modal') ?? document.body).append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  before?.focus({ preventScroll: true });
  return done;
}
