// The rules of a game, with pictures and examples to try out.

import { h } from '../lib/dom.js';
import { GAMES, emblem, load } from '../lib/faces.js';
import { current, learn, t } from '../lib/words.js';
import { Example } from './example.js';
import { bar, bold } from './parts.js';

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
 * The rules of a game; call `close` when they are put away.
 * @param {string} id
 * @returns {Promise<{element: HTMLElement, close: () => void}>}
 */
export async function article(id) {
  const [module, { default: parts }, pictures] = await Promise.all([
    load(id),
    import(`../games/${id}/rules.${current()}.js`),
    import(`../games/${id}/pictures.js`),
  ]);
  /** @type {Example[]} */
  const examples = [];
  /** @param {any} part */
  const draw = (part) => {
    if (!part.example) return drawPart(id, part, pictures);
    const example = new Example(module, part);
    examples.push(example);
    return example.element;
  };
  const [first, ...rest] = parts.map(draw);
  const element = h('article', { class: 'rules' }, first, contents([first, ...rest]), rest);
  return { element, close: () => examples.forEach((example) => example.close()) };
}

/**
 * @param {string} id
 * @param {any} part
 * @param {any} pictures
 */
function drawPart(id, part, pictures) {
  if (part.title) return h('h2', { tabindex: -1 }, part.title);
  if (part.text) return h('p', {}, bold(part.text));
  if (part.list) return h('ul', {}, part.list.map((/** @type {string} */ line) => h('li', {}, bold(line))));
  return h('figure', { class: `rules-picture game-${id}` }, pictures[part.picture](), h('figcaption', {}, bold(part.caption)));
}

/** Links to the headings. Not anchors: the same rules also open over a table. @param {HTMLElement[]} parts */
function contents(parts) {
  return h('nav', { class: 'contents', 'aria-label': t('rules.contents') }, parts.filter((one) => one.tagName === 'H2').map((title) =>
    h('button', { type: 'button', class: 'link', onclick: () => {
      title.scrollIntoView({ block: 'start' });
      title.focus({ preventScroll: true });
    } }, title.textContent)));
}
