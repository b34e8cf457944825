// Dialogs over a table: the menu, the result of a round, the result of the match.

import { isHere } from '../lib/device.js';
import { h } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { named, t } from '../lib/words.js';
import { addUp, standings } from './results.js';

/**
 * Something that a game explains in a sheet of its own, such as who beats whom.
 * @param {string} game
 * @param {string} title
 * @param {Element} content
 */
export function sheetDialog(game, title, content) {
  const dialog = /** @type {HTMLDialogElement} */ (h('dialog',
    { class: `game-${game}`, 'aria-label': title, onclose: () => dialog.remove() },
    h('form', { method: 'dialog' }, content, h('button', { class: 'button', autofocus: true }, t('close')))));
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * @param {'round' | 'final' | 'menu' | 'rules' | 'question' | 'what'} kind at most one of each is open
 * @param {...(Node | null)} content
 * @returns {HTMLDialogElement}
 */
function open(kind, ...content) {
  document.querySelector(`dialog.${kind}`)?.remove();
  const dialog = /** @type {HTMLDialogElement} */ (h('dialog', { class: kind, 'aria-label': t(`dialog.${kind}`) },
    h('div', {}, content)));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  dialog.scrollTop = 0; // showModal scrolls to whatever gets the focus
  return dialog;
}

/**
 * The result of a round; resolves when it is closed.
 * @param {HTMLElement} result
 * @returns {Promise<void>}
 */
export function roundDialog(result) {
  return new Promise((resolve) => {
    const dialog = open('round', result,
      h('div', { class: 'actions last' },
        h('button', { type: 'button', class: 'button', autofocus: true, 'data-go-on': true, onclick: () => dialog.close() }, t('result.goOn'))));
    const skip = addUp(result);
    dialog.addEventListener('pointerdown', skip);
    dialog.addEventListener('keydown', skip);
    dialog.addEventListener('close', () => {
      skip();
      resolve();
    });
  });
}

/**
 * @param {{view: import('../types').View, table: import('../types').Table, id: string, at: import('../types').Seating,
 *   lastRound: HTMLElement | undefined, lowest: boolean, picture: SVGElement, check: HTMLElement | null,
 *   rematch: () => void, file: () => void}} match
 */
export function finalDialog({ view, table, id, at, lastRound, lowest, picture, check, rematch, file }) {
  const mine = at.seat !== null && table.agreed.includes(at.seat);
  const won = at.seat !== null && view.winners.includes(at.seat);
  const dialog = open('final',
    h('div', { class: `cheer ${won || at.seat === null ? 'won' : 'lost'}` }, picture.cloneNode(true)),
    ...standings(view, table, at, lowest),
    won || at.seat === null ? null : h('p', { class: 'console' }, t('result.console')),
    lastRound ? h('details', {}, h('summary', {}, t('result.lastRound')), lastRound.cloneNode(true)) : null,
    table.agreed.length ? h('p', {}, t('result.agreed', { names: named(at, ...table.agreed), n: table.agreed.length })) : null,
    h('div', { class: 'actions last' },
      at.seat !== null
        ? h('button', { type: 'button', class: 'button', 'data-rematch': true, disabled: mine, autofocus: true,
          onclick: (/** @type {MouseEvent} */ event) => {
            /** @type {HTMLButtonElement} */ (event.currentTarget).disabled = true; // at once: the answer may take its time
            rematch();
          } },
          t(mine ? 'result.waiting' : 'result.rematch')) : null,
      h('a', { class: 'button quiet', href: '/' }, t('nav.lobby'))),
    h('div', { class: 'actions small-ones' },
      h('a', { href: `/t/${id}/matches/${table.number}` }, t('result.watch')),
      h('button', { type: 'button', class: 'link', 'data-download': true, onclick: file }, t('result.file')),
      h('button', { type: 'button', class: 'link', onclick: () => dialog.close() }, t('close'))),
    check,
    table.secret && !isHere(id) ? h('details', { class: 'help' }, h('summary', {}, t('fair.title')), h('p', {}, t('fair.text')),
      h('p', { dir: 'ltr', class: 'hash' }, table.commitment ?? ''),
      h('p', { dir: 'ltr', class: 'hash' }, table.secret ?? '')) : null);
}

/**
 * @param {{table: import('../types').Table, seated: boolean, alone: boolean, what: (() => void) | null,
 *   pause: () => void, result: () => void, copy: (() => void) | null, leave: () => void, leaving: string}} menu
 */
export function menuDialog({ table, seated, alone, what, pause, result, copy, leave, leaving }) {
  /** @param {string} words @param {() => void} work */
  const item = (words, work) => h('button', { type: 'button', class: 'button quiet', onclick: () => {
    dialog.close();
    work();
  } }, words);
  const dialog = open('menu',
    h('h2', {}, t('menu.title')),
    h('div', { class: 'actions' },
      what ? item(t('menu.what'), what) : null,
      table.status === 'playing' && seated && alone ? item(t('menu.pause'), pause) : null,
      table.status === 'over' ? item(t('menu.result'), result) : null,
      copy ? item(t('menu.copy'), copy) : null,
      h('a', { class: 'button quiet', href: '/settings', onclick: () => dialog.close() }, t('settings.title')),
      seated ? item(leaving, leave) : null),
    table.watching ? h('p', { class: 'help' }, t('menu.watching', { n: table.watching })) : null,
    h('form', { method: 'dialog' }, h('button', { class: 'button' }, t('close'))));
}

/**
 * A list of everything on the table, with explanations.
 * @param {{names: string[], sentence: string}[]} things
 */
export function whatDialog(things) {
  const dialog = open('what',
    h('div', { class: 'rules-bar' }, h('h2', {}, t('menu.what')),
      h('button', { type: 'button', class: 'icon-button', 'aria-label': t('close'), autofocus: true, onclick: () => dialog.close() }, icon('close'))),
    h('p', { class: 'help' }, t('about.how')),
    h('dl', { class: 'what-is-what', tabindex: 0 }, things.map(({ names, sentence }) =>
      h('div', {}, h('dt', { dir: 'auto' }, names.join(', ')), h('dd', { dir: 'auto' }, sentence)))));
}

/**
 * A link to copy by hand.
 * @param {string} link
 */
export function linkDialog(link) {
  const field = /** @type {HTMLInputElement} */ (h('input', { type: 'text', readonly: true, value: link, dir: 'ltr', 'aria-label': t('room.link') }));
  open('question', h('p', {}, t('room.copy')), h('div', { class: 'link-row' }, field),
    h('form', { method: 'dialog' }, h('button', { class: 'button' }, t('close'))));
  field.select();
}

/**
 * A confirmation before something that cannot be undone.
 * @param {string} question
 * @param {string} yes
 * @param {() => void} work
 */
export function askDialog(question, yes, work) {
  const dialog = open('question', h('p', {}, question),
    h('div', { class: 'actions' },
      h('button', { type: 'button', class: 'button quiet', 'data-yes': true, onclick: () => {
        dialog.close();
        work();
      } }, yes),
      h('button', { type: 'button', class: 'button', autofocus: true, onclick: () => dialog.close() }, t('choices.none'))));
}

/**
 * The rules over the table.
 * @param {string} title
 * @param {HTMLElement} rules
 * @param {() => void} closed
 */
export function rulesDialog(title, rules, closed) {
  const dialog = open('rules', h('div', { class: 'rules-bar' }, h('h2', {}, title),
    h('button', { type: 'button', class: 'icon-button', 'aria-label': t('close'), autofocus: true, onclick: () => dialog.close() }, icon('close'))),
    rules);
  dialog.addEventListener('close', closed);
}
