// The log in words, the latest first: beside the table where there is room, else a drawer over it.

import { h, morph } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { get, set } from '../lib/settings.js';
import { t } from '../lib/words.js';
import { lines } from './words.js';

const MOST_LINES = 200;
const ROOMY = window.matchMedia('(min-width: 1200px) and (min-height: 600px)'); // fits beside the table

/** Docked, the log stays open until it is closed on this device; as a drawer, while somebody reads it. */
export class LogPanel {
  /** @param {{toggle: () => void, redock: () => void}} on */
  constructor({ toggle, redock }) {
    this.element = h('div', { class: 'log-side' });
    this._toggle = toggle;
    this._redock = redock;
    this._drawerOpen = false;
    this._escape = (/** @type {KeyboardEvent} */ event) => event.key === 'Escape' && this._drawerOpen && toggle();
    document.addEventListener('keydown', this._escape);
    ROOMY.addEventListener('change', redock);
  }

  close() {
    document.removeEventListener('keydown', this._escape);
    ROOMY.removeEventListener('change', this._redock);
  }

  get open() {
    return ROOMY.matches ? get().log : this._drawerOpen;
  }

  /** @param {boolean} open */
  set open(open) {
    if (ROOMY.matches) set({ log: open });
    else this._drawerOpen = open;
  }

  closeDrawer() {
    this._drawerOpen = false;
  }

  focus() {
    this.element.querySelector('button')?.focus();
  }

  /**
   * @param {{face: import('../types').Face, events: import('../types').Happening[], at: import('../types').Seating, busy: boolean} | null} log
   *   null shows nothing; busy while earlier events are loading
   */
  draw(log) {
    const close = () => this.open && this._toggle();
    morph(this.element, h('div', { class: 'log-side' }, log && panel({ ...log, docked: ROOMY.matches, close })));
    const drawer = this.element.querySelector('dialog');
    if (drawer && !drawer.open) drawer.showModal(); // so that "back" on a phone closes it
  }
}

/**
 * @param {{face: import('../types').Face, events: import('../types').Happening[], at: import('../types').Seating,
 *   docked: boolean, busy: boolean, close: () => void}} log
 */
function panel({ face, events, at, docked, busy, close }) {
  const all = lines(face, events, at);
  const latest = all.map((line, n) => ({ ...line, n })).slice(-MOST_LINES).reverse();
  return h(docked ? 'aside' : 'dialog', { class: `drawer${docked ? ' docked' : ''}`, 'aria-label': t('log.title'), 'data-key': 'log',
      'aria-busy': busy ? 'true' : null, onclose: docked ? null : close,
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        close();
      } },
    h('header', {},
      h('h2', {}, t('log.title')),
      h('button', { type: 'button', class: 'icon-button', 'aria-label': t('close'), onclick: close }, icon('close'))),
    h('ol', { tabindex: 0, 'aria-label': t('log.title') },
      latest.length || busy ? null : h('li', { class: 'help' }, t('log.empty')),
      latest.map(({ text, times, round, n }) =>
        h('li', { class: round ? 'round-line' : '', 'data-key': n }, text,
          times > 1 ? h('span', { class: 'times' }, ` ×${times}`) : null))));
}
