// An example in the rules: a small table to try something out.

import { ask, codeOf } from '../lib/api.js';
import { h } from '../lib/dom.js';
import { t } from '../lib/words.js';
import { Stage } from '../table/stage.js';
import { counted, lines, refusal, seating } from '../table/words.js';
import { bold } from './parts.js';

/** @typedef {{example: string, task: string, shows: string}} Part */

export class Example {
  /**
   * @param {import('../types').GameModule} module
   * @param {Part} part of the rules
   */
  constructor(module, part) {
    this.face = module.default;
    this.part = part;
    this.path = `/api/games/${this.face.id}/examples/${part.example}`;
    /** @type {string[]} */
    this.moves = [];
    const place = h('div', { class: 'stage' });
    this.after = h('div', { class: 'after', role: 'status' });
    this.stage = new Stage(place, module, (action) => this._move(action));
    this.element = h('section', { class: `example game-${this.face.id}`, 'data-example': part.example, role: 'group', 'aria-label': t('rules.try') },
      h('header', {}, h('h3', {}, t('rules.try')), h('p', {}, bold(part.task))), place, this.after);
    this._begin();
  }

  close() {
    this.stage.close();
  }

  async _begin() {
    this.moves = [];
    this.after.replaceChildren();
    /** @type {{view: import('../types').View}} */
    const { view } = await ask(this.path);
    this.stage.show(view, around(view));
  }

  /** The server plays all moves again each time: it remembers nothing. @param {string} action */
  async _move(action) {
    const { stage, moves } = this;
    moves.push(action);
    try {
      /** @type {import('../types').Played} */
      const answer = await ask(this.path, { body: { moves } });
      const last = /** @type {import('../types').PlayedStep} */ (answer.steps.at(-1));
      const rest = answer.over ? { waiting: [], legal: [] } : {}; // it is nobody's turn any more
      await stage.play({ ...last.view, ...rest }, around(last.view, !answer.over), last.events);
      this._tell(last, answer);
    } catch (problem) {
      moves.pop();
      stage.complain(refusal(codeOf(problem)));
    }
  }

  /**
   * @param {import('../types').PlayedStep} step
   * @param {{over: boolean, meant: boolean}} answer
   */
  _tell(step, { over, meant }) {
    const { shows, task } = this.part;
    const happened = lines(this.face, step.events, around(step.view).at).map((line) => h('p', {}, counted(line)));
    const verdict = over ? [h('p', {}, h('strong', {}, bold(meant ? shows : t('rules.otherwise', { task }))))] : [];
    this.after.replaceChildren(...happened, ...verdict,
      h('button', { type: 'button', class: 'button quiet small', onclick: () => this._begin() }, t('rules.again')));
  }
}

/**
 * The table around an example: you and some bots.
 * @param {import('../types').View} view
 * @param {boolean} [live] whether there is anything left to do
 */
function around(view, live = true) {
  /** @type {import('../types').Chair[]} */
  const seats = Array.from({ length: view.players }, (_, seat) => ({
    kind: seat === view.seat ? 'person' : 'bot', name: t('seat.you'), level: null, here: true, left: false, seed: null, pronoun: null,
  }));
  return { table: { seats, status: /** @type {const} */ ('playing'), clock: null }, at: seating({ seats }, view.seat), version: 0, seconds: null, live };
}
