// Match files: from the device's files, or dropped on the page, to watch again or to play on.

import { Refused, importMatch, tablesHere } from '../lib/api.js';
import { h } from '../lib/dom.js';
import { go } from '../lib/router.js';
import { adopt } from '../lib/settings.js';
import { has, number, t } from '../lib/words.js';
import { alert } from '../screens/parts.js';
import { refusal } from '../table/words.js';

const MOST_BYTES = 8_000_000; // more than any match has
const MOST_SEATS = 10;

export class Importing {
  /** @param {HTMLElement} page on which files may be dropped */
  constructor(page) {
    this._input = /** @type {HTMLInputElement} */ (h('input', { type: 'file', accept: '.json,application/json', hidden: true,
      onchange: () => this._take(this._input.files) }));
    this._problem = h('div', {});
    this.element = h('section', { class: 'importing', 'aria-label': t('lobby.import') },
      h('div', { class: 'actions' },
        h('button', { type: 'button', class: 'button quiet small', 'data-import': true, onclick: () => this._input.click() }, t('lobby.import')),
        h('span', { class: 'help' }, t('lobby.import.help'))),
      this._problem, this._input);
    page.addEventListener('dragover', (event) => this._over(event, page));
    page.addEventListener('dragleave', () => page.classList.remove('dropping'));
    page.addEventListener('drop', (event) => {
      event.preventDefault();
      page.classList.remove('dropping');
      this._take(event.dataTransfer?.files ?? null);
    });
  }

  /** @param {DragEvent} event @param {HTMLElement} page */
  _over(event, page) {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault(); // or the browser would leave the page for the file
    page.classList.add('dropping');
  }

  /** @param {FileList | null} files */
  async _take(files) {
    const file = files?.[0];
    if (!file) return;
    this._problem.replaceChildren();
    try {
      await go(await opened(file));
    } catch (problem) {
      if (!(problem instanceof Refused)) throw problem;
      this._problem.replaceChildren(alert(refusal(problem.code, named(problem.values))));
      this._problem.scrollIntoView({ block: 'nearest' });
    } finally {
      this._input.value = ''; // the same file may be chosen again
    }
  }
}

/** Where a file's match is now: a replay if it is over. @param {File} file @returns {Promise<string>} a path */
async function opened(file) {
  if (file.size > MOST_BYTES) throw new Refused('file.large', '');
  const names = Array.from({ length: MOST_SEATS }, (_, n) => t('seat.nth', { n: number(n + 1) }));
  const { table, match } = await importMatch(await file.text(), names);
  const here = await tablesHere();
  adopt(here);
  const over = here.some((one) => one.id === table && one.over >= match);
  return over ? `/t/${table}/matches/${match}` : `/t/${table}`;
}

/** A game by its title, if it has one here. @param {Record<string, any>} values */
const named = ({ game, ...values }) =>
  (game === undefined ? values : { ...values, game: has(`${game}.title`) ? t(`${game}.title`) : `\u2068${game}\u2069` });
