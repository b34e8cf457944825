// The tables in the lobby: the player's own, open ones, and replays.

import { ask, codeOf, removeTable, tablesHere } from '../lib/api.js';
import { isHere, mayHaveTables } from '../lib/device.js';
import { h } from '../lib/dom.js';
import { icon } from '../lib/icons.js';
import { adopt, forget, tables } from '../lib/settings.js';
import { list, number, t } from '../lib/words.js';
import { askDialog } from '../table/dialogs.js';
import { seating } from '../table/words.js';

const MOST = 8; // of the player's own tables
const FIRST = 2; // of them in plain sight
const MOST_REPLAYS = 3; // per table

/** @typedef {import('../lib/settings.js').Kept} Kept */
/** null for a game that the page cannot show: its tables are left out. @typedef {(game: string) => Node | null} Emblem */

export class OpenTables {
  /** @param {Emblem} emblem */
  constructor(emblem) {
    this.element = h('section', { 'aria-label': t('lobby.open') });
    this._emblem = emblem;
  }

  async refresh() {
    if (document.hidden) return;
    const answer = await ask('/api/tables').catch((problem) => ({ code: codeOf(problem) }));
    const own = new Set(tables().map(({ id }) => id));
    /** @type {import('../types').TableSummary[]} */
    const open = answer?.tables ?? [];
    const others = open.filter(({ id, game }) => !own.has(id) && this._emblem(game));
    this.element.replaceChildren(h('h2', {}, t('lobby.open')),
      others.length
        ? h('ul', { class: 'list' }, others.map((table) => this._entry(table)))
        : h('p', { class: 'help' }, t(answer.code === 'offline' ? 'lobby.offline' : 'lobby.noneOpen')));
  }

  /** @param {import('../types').TableSummary} table */
  _entry({ id, game, names, free }) {
    return h('li', {}, this._emblem(game),
      h('div', { class: 'what' }, h('strong', {}, t(`${game}.title`)), ' ', h('bdi', {}, list(names)),
        h('small', {}, free ? t('lobby.free', { n: free }) : t('lobby.playing'))),
      h('a', { class: 'button small', href: `/t/${id}` }, free ? t('lobby.join') : t('lobby.watch')));
  }
}

/** Tables at which this device has a seat: those to go back to, and replays. */
export class OwnTables {
  /** @param {Emblem} emblem */
  constructor(emblem) {
    this.element = h('section', { 'aria-label': t('lobby.mine') });
    this.replays = h('section', { 'aria-label': t('lobby.again') });
    this._emblem = emblem;
    /** @type {Map<string, import('../types').Table>} */
    this._known = new Map(); // tables as the server describes them, by id
    /** @type {Map<string, import('../types').KeptTable>} */
    this._here = new Map(); // those on this device
  }

  async refresh() {
    await Promise.all([this._refreshHere(), this._refreshLive()]);
    this.draw();
  }

  async _refreshHere() {
    if (!tables().some(({ id }) => isHere(id)) && !(await mayHaveTables())) return;
    const here = await tablesHere().catch(() => null); // no worker: what was kept stays
    if (!here) return;
    adopt(here);
    this._here = new Map(here.map((one) => [one.id, one]));
  }

  async _refreshLive() {
    await Promise.all(tables().filter(({ id }) => !isHere(id)).slice(0, MOST).map(async ({ id }) => {
      const answer = await ask(`/api/tables/${id}`).catch(({ code }) => (code === 'not_found' ? null : undefined));
      if (answer === null) forget(id);
      else if (answer) this._known.set(id, answer);
    }));
  }

  draw() {
    const seated = tables().filter(({ tokens, game }) => Object.keys(tokens).length && this._emblem(game));
    this._drawRunning(seated.filter((one) => !this._isOver(one)).slice(0, MOST));
    this._drawReplays(seated.filter(({ matches }) => matches > 0).slice(0, MOST));
  }

  /** @param {Kept[]} running */
  _drawRunning(running) {
    const rest = running.slice(FIRST);
    /** @param {Kept[]} some */
    const entries = (some) => h('ul', { class: 'list' }, some.map((one) => this._entry(one)));
    this.element.replaceChildren(...(running.length ? [h('h2', {}, t('lobby.mine')), entries(running.slice(0, FIRST))] : []),
      ...(rest.length ? [h('details', {}, h('summary', {}, t('lobby.more', { n: rest.length })), entries(rest))] : []));
  }

  /** @param {Kept} one */
  _entry(one) {
    return h('li', {}, this._emblem(one.game), this._description(one),
      h('a', { class: 'button small', href: `/t/${one.id}` }, t('lobby.back')), this._remover(one));
  }

  /** A seat at a server can be come back to by its link; a match on this device is nowhere else. @param {Kept} one */
  _remover({ id }) {
    const here = isHere(id);
    const remove = async () => {
      if (here) await removeTable(id).catch(() => null); // somebody was quicker
      forget(id);
      this._here.delete(id);
      this.draw();
    };
    const words = t(here ? 'lobby.delete' : 'lobby.forget');
    return h('button', { type: 'button', class: 'icon-button', 'aria-label': words,
      onclick: () => askDialog(t(here ? 'lobby.deleteAsk' : 'lobby.forgetAsk'), words, remove) }, icon('close'));
  }

  /** @param {Kept[]} played */
  _drawReplays(played) {
    this.replays.replaceChildren(...(played.length
      ? [h('h2', {}, t('lobby.again')), h('ul', { class: 'list' }, played.map((one) => this._replay(one)))] : []));
  }

  /** @param {Kept} one */
  _replay(one) {
    const latest = Array.from({ length: Math.min(one.matches, MOST_REPLAYS) }, (_, n) => one.matches - n);
    return h('li', {}, this._emblem(one.game), this._description(one),
      latest.map((match) =>
        h('a', { class: 'button quiet small', href: `/t/${one.id}/matches/${match}` }, t('lobby.match', { n: number(match) }))),
      this._isOver(one) ? h('a', { class: 'button small', href: `/t/${one.id}` }, t('result.rematch')) : null,
      this._isOver(one) ? this._remover(one) : null);
  }

  /** @param {Kept} one */
  _isOver({ id }) {
    return (this._here.get(id) ?? this._known.get(id))?.status === 'over';
  }

  /** @param {Kept} one */
  _description({ id, game, names, at }) {
    const table = this._known.get(id), status = (this._here.get(id) ?? table)?.status;
    return h('div', { class: 'what' }, h('strong', {}, t(`${game}.title`)), ' ',
      h('bdi', {}, list(table ? seating(table, null).names : names)),
      h('small', {}, [isHere(id) ? t('lobby.here') : '', status ? t(`status.${status}`) : '', date(at)].filter(Boolean).join(' · ')));
  }
}

/** @param {number} time in milliseconds */
const date = (time) => new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' }).format(time);
