// A replay: step by step, from any seat or with all cards face up.

import { h, morph } from '../lib/dom.js';
import { ask, codeOf, replayFile, save } from '../lib/api.js';
import { isHere } from '../lib/device.js';
import { load } from '../lib/faces.js';
import { table as kept } from '../lib/settings.js';
import { named, number, t } from '../lib/words.js';
import { scrubber } from '../table/scrub.js';
import { Stage } from '../table/stage.js';
import { counted, lines, refusal, seating } from '../table/words.js';
import { alert, bar } from './parts.js';

const PAGE = 100; // steps per request
const PACE = 1100; // milliseconds per step while it plays by itself
const OPEN = 'open'; // the viewer who sees all cards
const SPECTATOR = '';

/** @type {import('../lib/router.js').Screen} */
export default async function replay(root, id = '', match = '1') {
  try {
    /** @type {import('../types').Table} */
    const table = await ask(`/api/tables/${encodeURIComponent(id)}`);
    const screen = new Replay(root, table, match, await load(table.game), id);
    await screen.goTo(0);
    return () => screen.close();
  } catch (problem) {
    const code = codeOf(problem);
    root.append(bar(t('replay.title')), h('main', { class: 'page narrow' }, alert(code === 'not_found' ? t('table.none') : refusal(code))));
  }
}

class Replay {
  /**
   * @param {HTMLElement} root
   * @param {import('../types').Table} table
   * @param {string} match its number
   * @param {import('../types').GameModule} module
   * @param {string} id of the table
   */
  constructor(root, table, match, module, id) {
    this.table = table;
    this.path = `/api/tables/${id}/matches/${match}`;
    this.file = `${table.game}-${id}-${match}.json`;
    this.face = module.default;
    const [own] = Object.entries(kept(id)?.tokens ?? {});
    this.seat = own?.[0]; // the first of this device's, if any
    this.token = own?.[1];
    this.over = table.number > Number(match) || table.status === 'over';
    this.local = this.over && !isHere(id); // a live match that is over is dealt and played again on this device
    /** @type {string | null} */
    this.content = null; // of its file
    this.viewer = this.over ? OPEN : (this.seat ?? SPECTATOR); // one of these two, or a seat
    /** @type {Map<string, import('../types').Step[]>} */
    this.pages = new Map();
    this.steps = 1; // how many there are
    this.step = 0;
    this.shown = -1; // the step on the stage
    this.latest = 0; // the last request: answers to earlier ones come too late
    this.timer = 0; // while it plays by itself
    this.place = h('div', { class: 'stage', style: { display: 'contents' } });
    this.controls = h('div', { class: 'scrub' });
    this.problem = h('div', { class: 'notices' });
    root.classList.add('table-screen', 'replay', `game-${table.game}`);
    root.append(bar(t('replay.of', { game: t(`${table.game}.title`), n: number(Number(match)) })),
      h('main', { style: { display: 'contents' } }, this.problem, this.place, this.controls));
    this.stage = new Stage(this.place, module, () => {});
    this.keys = (/** @type {KeyboardEvent} */ event) => this._key(event);
    document.addEventListener('keydown', this.keys);
  }

  close() {
    this._stop();
    document.removeEventListener('keydown', this.keys);
    this.stage.close();
  }

  /** @param {KeyboardEvent} event */
  _key(event) {
    if (event.target instanceof HTMLSelectElement || event.target instanceof HTMLInputElement) return;
    const steps = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
    if (steps !== undefined) this.goTo(this.step + steps);
  }

  /** @param {number} wanted */
  async goTo(wanted) {
    const n = Math.max(0, Math.min(this.steps - 1, wanted)), request = ++this.latest;
    try {
      const step = await this._load(n);
      if (!step || request !== this.latest) return;
      const forward = n === this.shown + 1;
      this.step = this.shown = n;
      const around = this._around(step.version);
      this._draw(step, around.at);
      if (forward) await this.stage.play(step.view, around, step.events);
      else this.stage.show(step.view, around);
    } catch (refused) {
      this._complain(codeOf(refused));
      this._stop();
    }
  }

  /** @param {number} n @returns {Promise<import('../types').Step | undefined>} */
  async _load(n) {
    const { viewer, pages } = this;
    const first = Math.floor(n / PAGE) * PAGE, key = `${viewer}/${first}`;
    if (!pages.has(key)) {
      const answer = (this.local ? await this._fromFile(first) : null) ?? await this._fromTable(first);
      this.steps = answer.of;
      pages.set(key, answer.steps);
    }
    return pages.get(key)?.[n - first];
  }

  /** Steps from the match file; null if this device cannot play it. @param {number} from */
  async _fromFile(from) {
    const { viewer, token } = this;
    try {
      this.content ??= JSON.stringify(await ask(`${this.path}/file`, { token }));
      const seat = viewer === OPEN || viewer === SPECTATOR ? null : Number(viewer);
      return await replayFile(this.content, { from, count: PAGE, seat, open: viewer === OPEN });
    } catch (problem) {
      const code = codeOf(problem);
      if (code !== 'no_device' && !code.startsWith('file.')) throw problem;
      this.local = false;
      return null;
    }
  }

  /** @param {number} from */
  _fromTable(from) {
    const { viewer, token } = this;
    const as = viewer === OPEN ? '&open=true' : viewer === SPECTATOR ? '' : `&seat=${viewer}`;
    return ask(`${this.path}/steps?from=${from}&count=${PAGE}${as}`, { token });
  }

  /** The table as it was: everybody present, no clock. @param {number} version */
  _around(version) {
    const seats = this.table.seats.map((chair) => ({ ...chair, here: true, left: false }));
    const table = { ...this.table, seats, status: /** @type {const} */ ('past'), clock: null };
    const seat = this.viewer === OPEN || this.viewer === SPECTATOR ? null : Number(this.viewer);
    return { table, at: seating(this.table, seat, seat ?? Number(this.seat ?? 0)), version, seconds: null, live: false };
  }

  _stop() {
    clearInterval(this.timer);
    this.timer = 0;
  }

  _toggle() {
    if (this.timer) {
      this._stop();
      this.goTo(this.step);
      return;
    }
    this.timer = window.setInterval(() => {
      if (this.step >= this.steps - 1) this._stop();
      this.goTo(this.step + 1);
    }, PACE);
    this.goTo(this.step >= this.steps - 1 ? 0 : this.step);
  }

  /** @param {string} viewer */
  _lookAs(viewer) {
    this.viewer = viewer;
    this.shown = -1;
    this.goTo(this.step);
  }

  /**
   * @param {import('../types').Step} step
   * @param {import('../types').Seating} at
   */
  _draw(step, at) {
    const { tiles } = this.face;
    const text = lines(this.face, step.events, at).map(counted).join(' ');
    morph(this.controls, scrubber({
      step: this.step, steps: this.steps, playing: this.timer !== 0,
      text: text || t(tiles ? 'replay.begin.tiles' : 'replay.begin'),
      viewer: this.viewer, viewers: this._viewers(at),
      goTo: (wanted) => this.goTo(wanted),
      toggle: () => this._toggle(),
      lookAs: (viewer) => this._lookAs(viewer),
      file: this.over ? () => this._save() : null,
    }));
    const range = this.controls.querySelector('input');
    if (range) range.value = String(this.step);
  }

  /**
   * Until the match is over, only one's own seat and what spectators see.
   * @param {import('../types').Seating} at
   * @returns {[string, string][]}
   */
  _viewers(at) {
    const seats = this.over ? at.names.map((_, n) => String(n)) : this.seat === undefined ? [] : [this.seat];
    return [
      .../** @type {[string, string][]} */ (this.over ? [[OPEN, t(this.face.tiles ? 'replay.open.tiles' : 'replay.open')]] : []),
      ...seats.map((seat) => /** @type {[string, string]} */ ([seat, t('replay.seat', { name: named(at, Number(seat)) })])),
      [SPECTATOR, t('replay.watcher')],
    ];
  }

  _save() {
    save(`${this.path}/file`, this.token, this.file).catch(({ code }) => this._complain(code));
  }

  /** @param {string} code */
  _complain(code) {
    this.problem.replaceChildren(alert(refusal(code)));
  }
}
