// A match again: step by step, from any seat or with all cards open.

import { h, morph } from '../lib/dom.js';
import { ask, save } from '../lib/api.js';
import { load } from '../lib/faces.js';
import { icon } from '../lib/icons.js';
import { table as kept } from '../lib/settings.js';
import { named, number, t } from '../lib/words.js';
import { Stage } from '../table/stage.js';
import { counted, lines, refusal, seating } from '../table/words.js';
import { alert, bar } from './parts.js';

const PAGE = 100; // steps at a time
const PACE = 1100; // milliseconds between steps that play by themselves

/** @type {import('../lib/router.js').Screen} */
export default async function replay(root, id = '', match = '1') {
  const tokens = kept(id)?.tokens ?? {};
  const token = Object.values(tokens)[0];
  /** @type {any} */
  let table;
  /** @type {any} */
  let module;
  try {
    table = await ask(`/api/tables/${encodeURIComponent(id)}`);
    module = await load(table.game);
  } catch (problem) {
    const { code = 'unavailable' } = /** @type {any} */ (problem);
    root.append(bar(t('replay.title')), h('main', { class: 'page narrow' }, alert(code === 'not_found' ? t('table.none') : refusal(code))));
    return;
  }
  const { tiles } = module.default;
  const over = table.number > Number(match) || table.status === 'over';
  const own = Object.keys(tokens)[0];
  let who = over ? 'open' : (own ?? ''); // "open", a seat, or "" for somebody who watches
  /** @type {Map<string, any[]>} */
  const pages = new Map();
  let of = 1, at = 0, playing = 0, shown = -1;
  let latest = 0; // what was asked for before and comes late is not shown
  // The table as it was: everybody there, no clock.
  const seats = table.seats.map((/** @type {any} */ chair) => ({ ...chair, here: true, left: false }));
  const present = { ...table, seats, status: 'past', clock: null };

  const place = h('div', { class: 'stage', style: { display: 'contents' } });
  const scrub = h('div', { class: 'scrub' });
  const problem = h('div', { class: 'notices' });
  root.classList.add('table-screen', 'replay', `game-${table.game}`);
  root.append(bar(t('replay.of', { game: t(`${table.game}.title`), n: number(Number(match)) })),
    h('main', { style: { display: 'contents' } }, problem, place, scrub));
  const stage = new Stage(place, module, () => {});
  const keys = (/** @type {KeyboardEvent} */ event) => {
    if (event.target instanceof HTMLSelectElement || event.target instanceof HTMLInputElement) return;
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
    if (step !== undefined) to(at + step);
  };
  document.addEventListener('keydown', keys);
  await to(0);
  return () => {
    clearInterval(playing);
    document.removeEventListener('keydown', keys);
    stage.close();
  };

  /** @param {number} n @returns {Promise<any>} */
  async function step(n) {
    const first = Math.floor(n / PAGE) * PAGE, key = `${who}/${first}`;
    if (!pages.has(key)) {
      const seen = who === 'open' ? '&open=true' : who === '' ? '' : `&seat=${who}`;
      const answer = await ask(`/api/tables/${id}/matches/${match}/steps?from=${first}&count=${PAGE}${seen}`, { token });
      of = answer.of;
      pages.set(key, answer.steps);
    }
    return pages.get(key)?.[n - first];
  }

  /** @param {number} wanted */
  async function to(wanted) {
    const n = Math.max(0, Math.min(of - 1, wanted)), mine = ++latest;
    try {
      const now = await step(n);
      if (!now || mine !== latest) return;
      const forward = n === shown + 1;
      at = shown = n;
      const seat = who === 'open' || who === '' ? null : Number(who);
      const around = { table: present, at: seating(table, seat, seat ?? Number(own ?? 0)), version: now.version, seconds: null, live: false };
      draw(now, around.at);
      if (forward) await stage.play(now.view, around, now.events);
      else stage.show(now.view, around);
    } catch (refused) {
      problem.replaceChildren(alert(refusal(/** @type {any} */ (refused).code ?? 'unavailable')));
      stop();
    }
  }

  function stop() {
    clearInterval(playing);
    playing = 0;
  }

  function toggle() {
    if (playing) {
      stop();
      to(at);
      return;
    }
    playing = window.setInterval(() => {
      if (at >= of - 1) stop();
      to(at + 1);
    }, PACE);
    to(at >= of - 1 ? 0 : at);
  }

  /**
   * @param {any} now
   * @param {import('../types').Seating} seats
   */
  function draw(now, seats) {
    /** @param {Parameters<typeof icon>[0]} sign @param {string} words @param {() => void} work @param {boolean} [ends] */
    const button = (sign, words, work, ends = false) =>
      h('button', { type: 'button', class: 'icon-button', 'aria-label': words, title: words, 'data-key': words, onclick: work,
        'aria-disabled': ends ? 'true' : null }, icon(sign));
    const said = lines(module.default, now.events, seats).map(counted).join(' ');
    const choices = [
      ...(over ? [['open', t(tiles ? 'replay.open.tiles' : 'replay.open')]] : []),
      ...(over ? seats.names.map((_, n) => String(n)) : own === undefined ? [] : [own])
        .map((seat) => [seat, t('replay.seat', { name: named(seats, Number(seat)) })]),
      ['', t('replay.watcher')],
    ];
    morph(scrub, h('div', { class: 'scrub', dir: 'ltr' },
      button('previous', t('replay.previous'), () => to(at - 1), at === 0),
      button(playing ? 'stop' : 'play', t(playing ? 'replay.stop' : 'replay.play'), toggle),
      h('input', { type: 'range', min: 0, max: of - 1, value: at, 'aria-label': t('replay.step'), 'data-scrub': true,
        'aria-valuetext': t('replay.at', { n: number(at + 1), of: number(of) }),
        oninput: (/** @type {Event} */ event) => to(Number(/** @type {HTMLInputElement} */ (event.target).value)) }),
      button('next', t('replay.next'), () => to(at + 1), at === of - 1),
      h('span', { class: 'count' }, `${at + 1}/${of}`),
      h('div', { class: 'where', dir: document.documentElement.dir },
        h('span', { class: 'said', role: 'status' }, said || t(tiles ? 'replay.begin.tiles' : 'replay.begin')),
        h('select', { 'aria-label': t('replay.who'), onchange: (/** @type {Event} */ event) => {
          who = /** @type {HTMLSelectElement} */ (event.target).value;
          shown = -1;
          to(at);
        } }, choices.map(([value, words]) => h('option', { value, selected: value === who }, words))),
        over ? h('button', { type: 'button', class: 'button quiet small', 'data-download': true,
          onclick: () => save(`/api/tables/${id}/matches/${match}/file`, token, `${table.game}-${id}-${match}.json`)
            .catch(({ code }) => problem.replaceChildren(alert(refusal(code)))) }, t('result.file')) : null)));
    const range = /** @type {HTMLInputElement | null} */ (scrub.querySelector('input'));
    if (range) range.value = String(at);
  }
}
