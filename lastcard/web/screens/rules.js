// The rules of a game, with pictures and examples to try out.

import { h } from '../lib/dom.js';
import { emblem, load, shown } from '../lib/faces.js';
import { current, learn, t } from '../lib/words.js';
import { Example } from './example.js';
import { bar, bold } from './parts.js';

/** @type {import('../lib/router.js').Screen} */
export default async function rules(root, wanted) {
  const games = (await shown()).map(({ id }) => id), id = wanted ?? games[0];
  if (id === undefined || !games.includes(id)) {
    const { default: missing } = await import('./missing.js');
    return missing(root);
  }
  const [{ element, close }, emblems] = await Promise.all([
    article(id),
    Promise.all(games.map(async (game) => (await learn(game), emblem(game)))),
  ]);
  root.append(bar(t('rules.title', { game: t(`${id}.title`) })),
    h('main', { class: 'page narrow' },
      h('nav', { class: 'tabs', 'aria-label': t('rules.games') }, games.map((game, n) =>
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
    import(`../../games/${id}/face/rules.${current()}.js`),
    import(`../../games/${id}/face/pictures.js`),
  ]);
  /** @type {Example[]} */
  const examples = [];
  /** @param {import('../types').RulesPart} part */
  const draw = (part) => {
    if (!('example' in part)) return drawPart(id, part, pictures);
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
 * @param {Exclude<import('../types').RulesPart, {example: string}>} part
 * @param {Record<string, () => Element>} pictures
 */
function drawPart(id, part, pictures) {
  if ('title' in part) return h('h2', { tabindex: -1 }, part.title);
  if ('text' in part) return h('p', {}, bold(part.text));
  if ('list' in part) return h('ul', {}, part.list.map((line) => h('li', {}, bold(line))));
  return h('figure', { class: `rules-picture game-${id}` }, pictures[part.picture]?.(), h('figcaption', {}, bold(part.caption)));
}

/** Links to the headings. Not anchors: the same rules also open over a table. @param {HTMLElement[]} parts */
function contents(parts) {
  return h('nav', { class: 'contents', 'aria-label': t('rules.contents') }, parts.filter((one) => one.tagName === 'H2').map((title) =>
    h('button', { type: 'button', class: 'link', onclick: () => {
      title.scrollIntoView({ block: 'start' });
      title.focus({ preventScroll: true });
    } }, title.textContent)));
}
