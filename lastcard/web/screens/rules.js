// The rules of a game, with pictures and examples to be tried out.

import { h } from '../lib/dom.js';
import { ask } from '../lib/api.js';
import { GAMES, emblem, load } from '../lib/faces.js';
import { current, learn, t } from '../lib/words.js';
import { Stage } from '../table/stage.js';
import { counted, lines, refusal, seating } from '../table/words.js';
import { bar } from './parts.js';

/** @type {import('../lib/router.js').Screen} */
export default async function rules(root, id = GAMES[0]) {
  if (!GAMES.some((one) => one === id)) {
    const { default: missing } = await import('./missing.js');
    return missing(root);
  }
  const [{ element, close }, emblems] = await Promise.all([
    article(id),
    Promise.all(GAMES.map(async (game) => (await learn(game), emblem(game)))),
  ]);
  root.append(bar(t('rules.title', { game: t(`${id}.title`) })),
    h('main', { class: 'page narrow' },
      h('nav', { class: 'tabs', 'aria-label': t('rules.games') }, GAMES.map((game, n) =>
        h('a', { href: `/rules/${game}`, 'aria-current': game === id ? 'page' : null }, emblems[n], h('span', {}, t(`${game}.title`))))),
      element));
  return close;
}

/**
 * The rules of a game, and what is to be done when they are put away.
 * @param {string} id
 * @returns {Promise<{element: HTMLElement, close: () => void}>}
 */
export async function article(id) {
  const [module, { default: parts }, pictures] = await Promise.all([
    load(id),
    import(`../games/${id}/rules.${current()}.js`),
    import(`../games/${id}/pictures.js`),
  ]);
  /** @type {Stage[]} */
  const stages = [];
  const drawings = parts.map((/** @type {any} */ part) => drawn(part));
  const titles = drawings.filter((/** @type {Element} */ one) => one.tagName === 'H2');
  const contents = h('nav', { class: 'contents', 'aria-label': t('rules.contents') }, titles.map((/** @type {HTMLElement} */ title) =>
    h('button', { type: 'button', class: 'link', onclick: () => {
      title.scrollIntoView({ block: 'start' });
      title.focus({ preventScroll: true });
    } }, title.textContent)));
  const element = h('article', { class: 'rules' }, drawings[0], contents, drawings.slice(1));
  return { element, close: () => stages.forEach((stage) => stage.close()) };

  /** @param {any} part */
  function drawn(part) {
    if (part.title) return h('h2', { tabindex: -1 }, part.title);
    if (part.text) return h('p', {}, bold(part.text));
    if (part.list) return h('ul', {}, part.list.map((/** @type {string} */ line) => h('li', {}, bold(line))));
    if (part.picture) {
      return h('figure', { class: `rules-picture game-${id}` }, pictures[part.picture](), h('figcaption', {}, bold(part.caption)));
    }
    return example(part);
  }

  /** @param {{example: string, task: string, shows: string}} part */
  function example(part) {
    const place = h('div', { class: 'stage' }), after = h('div', { class: 'after', role: 'status' });
    const path = `/api/games/${id}/examples/${part.example}`;
    /** @type {string[]} */
    let moves = [];
    const stage = new Stage(place, module, async (action) => {
      moves.push(action);
      try {
        const answer = await ask(path, { body: { moves } });
        const last = answer.steps.at(-1);
        const rest = answer.over ? { waiting: [], legal: [] } : {}; // nobody is waited for any more
        await stage.play({ ...last.view, ...rest }, around(last.view, !answer.over), last.events);
        tell(last, answer);
      } catch (problem) {
        moves.pop();
        stage.complain(refusal(/** @type {any} */ (problem).code));
      }
    });
    stages.push(stage);
    begin();
    return h('section', { class: `example game-${id}`, 'data-example': part.example, role: 'group', 'aria-label': t('rules.try') },
      h('header', {}, h('h3', {}, t('rules.try')), h('p', {}, bold(part.task))), place, after);

    async function begin() {
      moves = [];
      after.replaceChildren();
      const { view } = await ask(path);
      stage.show(view, around(view));
    }

    /**
     * @param {any} step
     * @param {{over: boolean, meant: boolean}} answer
     */
    function tell(step, { over, meant }) {
      const said = lines(module.default, step.events, around(step.view).at).map((line) => h('p', {}, counted(line)));
      after.replaceChildren(...said, ...(over ? [h('p', {}, h('strong', {}, bold(meant ? part.shows : t('rules.otherwise', { task: part.task }))))] : []),
        h('button', { type: 'button', class: 'button quiet small', onclick: begin }, t('rules.again')));
    }
  }
}

/**
 * An example has a table of its own: you, and others.
 * @param {any} view
 * @param {boolean} [live] whether there is still something to do
 */
function around(view, live = true) {
  const seats = Array.from({ length: view.players }, (_, seat) => ({
    kind: seat === view.seat ? 'person' : 'bot', name: t('seat.you'), level: null, here: true, left: false,
  }));
  return { table: { seats, status: 'playing', clock: null }, at: seating({ seats }, view.seat), version: 0, seconds: null, live };
}

/**
 * **Bold** parts of a text.
 * @param {string} text
 */
function bold(text) {
  return h('span', {}, text.split('**').map((part, n) => (n % 2 ? h('strong', {}, part) : part)));
}
