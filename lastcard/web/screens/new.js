// A new table: who plays, against whom, with which options.

import { h } from '../lib/dom.js';
import { codeOf, joinTable, offered, openTable } from '../lib/api.js';
import { emblem } from '../lib/faces.js';
import { go } from '../lib/router.js';
import { get, keep, keepToken, levelOf, set } from '../lib/settings.js';
import { learn, number, t } from '../lib/words.js';
import { fitOptions, openerField, optionField, optionOf, range, readOptions, tick } from '../lobby/fields.js';
import { refusal } from '../table/words.js';
import { alert, bar, choose, elsewhere, nameField, patiently } from './parts.js';
import missing from './missing.js';

const CLOCKS = ['', '15', '30', '60', '300', '86400']; // seconds; "" is no limit
const PLAYERS = 3; // unless the game needs more, or takes fewer

/** @type {import('../lib/router.js').Screen} */
export default async function newTable(root, id = '') {
  const known = await offered().catch(() => null);
  const game = known?.games.find((one) => one.id === id && one.face);
  if (!known || !game) return missing(root);
  const [picture] = await Promise.all([emblem(id), learn(id)]);
  const { form } = new NewTable(game, known, picture);
  root.append(bar(t('new.title', { game: t(`${id}.title`) })), h('main', {}, form));
}

class NewTable {
  /**
   * @param {import('../types').GameInfo} game
   * @param {import('../types').Offered} known
   * @param {SVGElement} picture
   */
  constructor(game, known, picture) {
    this.game = game;
    this.known = known;
    const [fewest, most] = game.players;
    this.players = Math.min(Math.max(PLAYERS, fewest), most);
    this.people = 1; // on this device
    this.problem = h('div', {});
    this.seats = h('div', {});
    this.names = h('div', { class: 'options' });
    this.opener = h('div', {});
    this.open = h('div', { class: 'options' });
    this.opening = [
      tick('public', t('new.public'), t('new.public.help'), false),
      tick('watch', t('new.watch'), t('new.watch.help'), true),
    ];
    this.levels = choose(t('new.level'), 'level', game.levels.map((level) => [level, t(`level.${level}`)]), levelOf(game.levels));
    this.form = this._form(picture);
    this._drawPeople();
    this._fit();
  }

  /** @param {SVGElement} picture */
  _form(picture) {
    const { id } = this.game;
    return /** @type {HTMLFormElement} */ (h('form', { class: 'page narrow', novalidate: true,
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          this._make();
        },
        onchange: (/** @type {Event} */ event) => {
          const option = optionOf(/** @type {HTMLInputElement} */ (event.target).name);
          if (option !== null) this._fit(option);
        } },
      h('section', { class: `sheet what-game game-${id}` }, picture, h('p', {}, t(`${id}.tagline`))),
      this.problem,
      this._who(),
      this._options(),
      h('div', { class: 'actions make' }, h('button', { class: 'button', 'data-make': true }, t('new.make')))));
  }

  _who() {
    const [fewest, most] = this.game.players;
    return h('section', { class: 'sheet' },
      choose(t('new.players'), 'players', range(fewest, most).map((n) => [String(n), number(n)]), String(this.players), (value) => {
        this.players = Number(value);
        this._drawPeople();
        this._fit();
      }),
      this._with(),
      this.seats,
      this.names,
      this.levels);
  }

  _with() {
    const { known } = this, [friends, ...others] = ['friends', 'here', 'bots'].map((one) => /** @type {[string, string]} */ ([one, t(`new.${one}`)]));
    /** @param {string} value */
    const change = (value) => this._drawPeople(value);
    return known.invite && friends
      ? choose(t('new.with'), 'with', [friends, ...others], 'friends', change)
      : h('div', {}, choose(t('new.with'), 'with', others, 'here', change), elsewhere(known));
  }

  _options() {
    const { id, options } = this.game;
    return h('details', { class: 'sheet' }, h('summary', {}, h('strong', {}, t('new.options'))),
      h('div', { class: 'options' },
        options.map((option) => (option.kind === 'seat' ? this.opener : optionField(id, option))),
        h('label', { class: 'field' }, h('span', {}, t('new.clock')),
          h('select', { name: 'clock' }, CLOCKS.map((value) => h('option', { value }, t(`clock.${value || 'none'}`))))),
        tick('undo', t('new.undo'), t('new.undo.help'), true),
        this.open));
  }

  /** @param {string} [changed] */
  _fit(changed) {
    fitOptions(this.game, this.players, this.form, changed);
  }

  /** @param {string} [how] */
  _drawPeople(how = /** @type {RadioNodeList} */ (this.form.elements.namedItem('with')).value) {
    const { players } = this;
    this.levels.hidden = how === 'friends'; // no bots
    this.open.replaceChildren(...(this._isHere(how) ? [] : this.opening));
    const opener = this.game.options.find((option) => option.kind === 'seat');
    if (opener) this.opener.replaceChildren(openerField(opener, players));
    this.people = how === 'here' ? Math.min(Math.max(this.people, 2), players) : 1;
    this.seats.replaceChildren(...(how === 'here'
      ? [choose(t('new.people'), 'people', range(2, players).map((n) => [String(n), number(n)]), String(this.people), (value) => {
        this.people = Number(value);
        this._drawNames();
      })]
      : []));
    this._drawNames();
  }

  /** Whether the table is to be on this device, where nobody else can come. @param {string} how */
  _isHere(how) {
    return how !== 'friends' && (this.game.engine || !this.known.invite);
  }

  /** Keeps what has been typed. */
  _drawNames() {
    const { people } = this;
    const names = [...this.names.querySelectorAll('input')].map((input) => input.value);
    const pronouns = [...this.names.querySelectorAll('select')].map((select) => select.value);
    this.names.replaceChildren(...range(1, people).map((n) =>
      nameField(people === 1 ? t('new.name') : t('new.nameOf', { n: number(n) }),
        { name: `name${n}`, autocomplete: n === 1 ? 'nickname' : 'off', placeholder: guest(n),
          value: names[n - 1] ?? (n === 1 ? get().name : '') },
        { name: `pronoun${n}`, value: pronouns[n - 1] ?? (n === 1 ? get().pronoun : '') })));
  }

  /** Whether all numbers are valid; if not, it says which one is wrong. */
  _checkNumbers() {
    const inputs = /** @type {HTMLInputElement[]} */ ([...this.form.querySelectorAll('input[type=number]')]);
    const wrong = inputs.find((input) => !input.checkValidity());
    if (!wrong) return true;
    const what = wrong.closest('label')?.querySelector('span')?.textContent ?? '';
    this.problem.replaceChildren(alert(t('new.number', { what, low: number(Number(wrong.min)), high: number(Number(wrong.max)) })));
    wrong.closest('details')?.setAttribute('open', '');
    this.problem.scrollIntoView({ block: 'nearest' });
    wrong.focus();
    return false;
  }

  async _make() {
    if (!this._checkNumbers()) return;
    const data = new FormData(this.form);
    const who = this._remember(data);
    const submit = /** @type {HTMLButtonElement} */ (this.form.querySelector('[data-make]'));
    submit.disabled = true;
    try {
      const table = await this._open(data, who);
      await go(`/t/${table}`);
    } catch (refused) {
      const code = codeOf(refused), alone = code === 'offline' && data.get('with') === 'friends';
      this.problem.replaceChildren(alert(alone ? t('new.offline') : refusal(code)));
      this.problem.scrollIntoView({ block: 'center' });
      submit.disabled = false;
    }
  }

  /** The people on this device; the first of them, and the level, are remembered here. @param {FormData} data */
  _remember(data) {
    const who = range(1, this.people).map((n) => ({
      name: String(data.get(`name${n}`)).trim() || guest(n),
      pronoun: String(data.get(`pronoun${n}`)) || null,
    }));
    const [first] = who;
    if (first && first.name !== guest(1)) set({ name: first.name });
    set({ level: String(data.get('level')), pronoun: /** @type {import('../lib/settings.js').Settings['pronoun']} */ (first?.pronoun ?? '') });
    return who;
  }

  /**
   * Opens the table and seats everybody on this device.
   * @param {FormData} data
   * @param {{name: string, pronoun: string | null}[]} who
   */
  async _open(data, [first, ...others]) {
    const { id } = this.game, friends = data.get('with') === 'friends', here = this._isHere(String(data.get('with')));
    const bots = friends ? 0 : this.players - this.people;
    const seated = await patiently(this.problem, openTable({
      game: id, players: this.players, bots: Array(bots).fill(data.get('level')), ...first,
      options: readOptions(this.game, data),
      clock: data.get('clock') ? Number(data.get('clock')) : null,
      undo: data.has('undo'), public: !here && data.has('public'), watch: here || data.has('watch'),
      ...(friends ? {} : { grace: null }),
    }, { here }));
    keep(seated.table, { game: id, names: [first, ...others].map((one) => one?.name ?? '') });
    keepToken(seated.table, seated.seat, seated.token);
    for (const { name, pronoun } of others) {
      const more = await joinTable(seated.table, name, pronoun);
      keepToken(more.table, more.seat, more.token);
    }
    return seated.table;
  }
}

/** What somebody is called who gives no name. @param {number} n */
const guest = (n) => (n === 1 ? t('seat.guest') : t('seat.nth', { n: number(n) }));
