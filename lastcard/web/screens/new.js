// A new table: who plays, against whom, by which options.

import { h } from '../lib/dom.js';
import { join, offered, open } from '../lib/api.js';
import { emblem } from '../lib/faces.js';
import { barred, settled } from '../lib/options.js';
import { go } from '../lib/router.js';
import { get, keep, keepToken, set } from '../lib/settings.js';
import { has, learn, list, number, t } from '../lib/words.js';
import { refusal } from '../table/words.js';
import { alert, bar, choose, nameField, patiently } from './parts.js';
import missing from './missing.js';

const OPTION = 'option.'; // before the names of the game's own fields
const CLOCKS = ['', '15', '30', '60', '300', '86400']; // seconds; "" is none

/** @type {import('../lib/router.js').Screen} */
export default async function newTable(root, id = '') {
  const known = await offered().catch(() => null);
  const game = known?.games.find((/** @type {any} */ one) => one.id === id);
  if (!game) return missing(root);
  const [picture] = await Promise.all([emblem(id), learn(id)]);
  const [fewest, most] = game.players;
  const name = get().name;
  let players = Math.min(Math.max(3, fewest), most), people = 1;
  const problem = h('div', {});
  const seats = h('div', {}), names = h('div', { class: 'options' }), openers = h('div', {});
  const opening = game.options.find((/** @type {any} */ option) => option.kind === 'seat');

  const levels = choose(t('new.level'), 'level', known.levels.map((/** @type {string} */ level) => [level, t(`level.${level}`)]), get().level);

  const form = /** @type {HTMLFormElement} */ (h('form', { class: 'page narrow', novalidate: true, onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    make();
  }, onchange: (/** @type {Event} */ event) => {
    const { name } = /** @type {HTMLInputElement} */ (event.target);
    if (name.startsWith(OPTION)) fit(name.slice(OPTION.length));
  } },
    h('section', { class: `sheet what-game game-${id}` }, picture, h('p', {}, t(`${id}.tagline`))),
    problem,
    h('section', { class: 'sheet' },
      choose(t('new.players'), 'players', range(fewest, most).map((n) => [String(n), number(n)]), String(players),
        (value) => { players = Number(value); drawPeople(); fit(); }),
      choose(t('new.with'), 'with',
        [['friends', t('new.friends')], ['here', t('new.here')], ['bots', t('new.bots')]], 'friends',
        (value) => { drawPeople(value); }),
      seats,
      names,
      levels),
    h('details', { class: 'sheet' }, h('summary', {}, h('strong', {}, t('new.options'))),
      h('div', { class: 'options' },
        game.options.map((/** @type {any} */ option) => option.kind === 'seat' ? openers : field(id, option)),
        h('label', { class: 'field' }, h('span', {}, t('new.clock')),
          h('select', { name: 'clock' }, CLOCKS.map((value) => h('option', { value }, t(`clock.${value || 'none'}`))))),
        tick('undo', t('new.undo'), t('new.undo.help'), true),
        tick('public', t('new.public'), t('new.public.help'), false),
        tick('watch', t('new.watch'), t('new.watch.help'), true))),
    h('div', { class: 'actions make' }, h('button', { class: 'button', 'data-make': true }, t('new.make')))));
  root.append(bar(t('new.title', { game: t(`${id}.title`) })), h('main', {}, form));
  drawPeople();
  fit();

  /** Takes back what does not go with the option that was changed, and says what cannot be chosen now. @param {string} [changed] */
  function fit(changed) {
    const data = new FormData(form);
    const values = Object.fromEntries(game.options.flatMap((/** @type {any} */ option) => read(option, data)));
    const now = settled(game, players, values, changed);
    const bars = barred(game, players, now);
    for (const option of game.options) {
      const input = /** @type {HTMLInputElement | null} */ (form.elements.namedItem(OPTION + option.name));
      if (!input || option.kind === 'seat') continue;
      if (now[option.name] !== values[option.name]) {
        if (option.kind === 'flag') input.checked = now[option.name];
        else input.value = String(now[option.name] ?? '');
      }
      const here = bars.filter(({ name }) => name === option.name);
      if (option.kind === 'flag') input.disabled = here.length > 0;
      else if (option.kind === 'choice') {
        for (const one of input.querySelectorAll('option')) one.disabled = here.some(({ refused }) => refused === one.value);
      } else input.max = String(Math.min(option.high, ...here.map(({ refused }) => refused.above)));
      const label = input.closest('label');
      label?.querySelector('.barred')?.remove();
      if (here.length) label?.append(h('span', { class: 'help barred' }, here.map(({ name, refused, clash }) => reason(name, refused, clash)).join(' ')));
    }
  }

  /**
   * Why it cannot be chosen.
   * @param {string} name
   * @param {any} refused
   * @param {import('../lib/options.js').Clash} clash
   */
  function reason(name, refused, { when }) {
    const others = Object.entries(when).filter(([one]) => one !== name);
    /** @param {boolean} on */
    const named = (on) => list(others.filter(([, wanted]) => (wanted === false) !== on).map(([one]) => t('new.quoted', { what: t(`${id}.options.${one}`) })));
    if (refused.above) return t('new.most', { other: named(true), n: players, most: number(refused.above) });
    return [named(true) && t('new.not', { other: named(true) }), named(false) && t('new.needs', { other: named(false) })].filter(Boolean).join(' ');
  }

  /** @param {string} [how] */
  function drawPeople(how = /** @type {any} */ (form.elements.namedItem('with'))?.value ?? 'friends') {
    levels.hidden = how === 'friends'; // there are no bots
    if (opening) openers.replaceChildren(opener(opening, players));
    people = how === 'here' ? Math.min(Math.max(people, 2), players) : 1;
    seats.replaceChildren(...(how === 'here'
      ? [choose(t('new.people'), 'people', range(2, players).map((n) => [String(n), number(n)]), String(people),
          (value) => { people = Number(value); drawNames(); })]
      : []));
    drawNames();
  }

  function drawNames() {
    const before = [...names.querySelectorAll('input')].map((input) => input.value);
    const pronouns = [...names.querySelectorAll('select')].map((select) => select.value);
    names.replaceChildren(...range(1, people).map((n) =>
      nameField(people === 1 ? t('new.name') : t('new.nameOf', { n: number(n) }),
        { name: `name${n}`, autocomplete: n === 1 ? 'nickname' : 'off', placeholder: guest(n),
          value: before[n - 1] ?? (n === 1 ? name : '') },
        { name: `pronoun${n}`, value: pronouns[n - 1] ?? (n === 1 ? get().pronoun : '') })));
  }

  /** Says which number cannot be, and where. */
  function numbersFit() {
    for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll('input[type=number]'))) {
      if (input.checkValidity()) continue;
      const what = input.closest('label')?.querySelector('span')?.textContent ?? '';
      problem.replaceChildren(alert(t('new.number', { what, low: number(Number(input.min)), high: number(Number(input.max)) })));
      input.closest('details')?.setAttribute('open', '');
      problem.scrollIntoView({ block: 'nearest' });
      input.focus();
      return false;
    }
    return true;
  }

  async function make() {
    const data = new FormData(form);
    const how = String(data.get('with')), level = String(data.get('level'));
    const who = range(1, people).map((n) => String(data.get(`name${n}`)).trim() || guest(n));
    const pronouns = range(1, people).map((n) => String(data.get(`pronoun${n}`)) || null);
    if (!numbersFit()) return;
    const bots = how === 'friends' ? 0 : players - people;
    if (who[0] !== guest(1)) set({ name: who[0] ?? '' });
    set({ level, pronoun: /** @type {any} */ (pronouns[0] ?? '') });
    const setup = {
      game: id, players, bots: Array(bots).fill(level), name: who[0], pronoun: pronouns[0],
      options: Object.fromEntries(game.options.flatMap((/** @type {any} */ option) => read(option, data))),
      clock: data.get('clock') ? Number(data.get('clock')) : null,
      undo: data.has('undo'), public: data.has('public'), watch: data.has('watch'),
      ...(how === 'friends' ? {} : { grace: null }),
    };
    const submit = /** @type {HTMLButtonElement} */ (form.querySelector('[data-make]'));
    submit.disabled = true;
    try {
      const seated = await patiently(problem, open(setup));
      keep(seated.table, { game: id, names: who });
      keepToken(seated.table, seated.seat, seated.token);
      for (const n of range(1, people - 1)) {
        const more = await join(seated.table, who[n] ?? '', pronouns[n] ?? null);
        keepToken(more.table, more.seat, more.token);
      }
      await go(`/t/${seated.table}`);
    } catch (refused) {
      problem.replaceChildren(alert(refusal(/** @type {any} */ (refused).code)));
      problem.scrollIntoView({ block: 'center' });
      submit.disabled = false;
    }
  }
}

/**
 * @param {number} low
 * @param {number} high
 */
const range = (low, high) => Array.from({ length: high - low + 1 }, (_, n) => low + n);

/** What somebody is called who gives no name. @param {number} n */
const guest = (n) => (n === 1 ? t('seat.guest') : t('seat.nth', { n: number(n) }));

/**
 * @param {string} name
 * @param {string} words
 * @param {string} help
 * @param {boolean} checked
 */
function tick(name, words, help, checked) {
  return h('label', { class: 'tick' }, h('input', { type: 'checkbox', name, checked }), h('span', {}, words),
    help ? h('span', { class: 'help' }, help) : null);
}

/**
 * @param {string} game
 * @param {any} option
 */
function field(game, option) {
  const key = `${game}.options.${option.name}`, name = OPTION + option.name;
  const words = t(key), help = has(`${key}.help`) ? t(`${key}.help`) : '';
  if (option.kind === 'flag') return tick(name, words, help, option.default);
  const described = help ? h('span', { class: 'help' }, help) : null;
  if (option.kind === 'choice') {
    return h('label', { class: 'field' }, h('span', {}, words),
      h('select', { name }, option.choices.map((/** @type {string} */ value) =>
        h('option', { value, selected: value === option.default }, t(`${key}.${value}`)))), described);
  }
  return h('label', { class: 'field' }, h('span', {}, words),
    h('input', { type: 'number', name, min: option.low, max: option.high, value: option.default ?? '',
      required: option.kind === 'number', placeholder: option.kind === 'limit' ? t('new.noLimit') : null }), described);
}

/**
 * Who opens: by lot, or a seat.
 * @param {any} option
 * @param {number} players
 */
function opener(option, players) {
  return h('label', { class: 'field' }, h('span', {}, t('new.opener')),
    h('select', { name: OPTION + option.name }, h('option', { value: '' }, t('new.lot')),
      range(0, players - 1).map((seat) => h('option', { value: seat }, t('seat.nth', { n: number(seat + 1) })))));
}

/**
 * @param {any} option
 * @param {FormData} data
 * @returns {[string, unknown][]}
 */
function read(option, data) {
  const name = OPTION + option.name, value = data.get(name);
  if (option.kind === 'flag') return [[option.name, data.has(name)]];
  if (option.kind === 'choice') return [[option.name, value]];
  return [[option.name, value === '' || value === null ? null : Number(value)]];
}
