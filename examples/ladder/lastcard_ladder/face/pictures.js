// The drawings of Ladder's rules page.

import { s } from '../../../web/lib/dom.js';
import { t } from '../../../web/lib/words.js';
import { card } from './art.js';

/** What goes on a 4. */
export function step() {
  const lay = (/** @type {string} */ name, /** @type {number} */ x) => {
    const drawing = card(name);
    drawing.setAttribute('x', String(x));
    drawing.setAttribute('y', '10');
    drawing.setAttribute('width', '60');
    drawing.setAttribute('height', '84');
    return drawing;
  };
  return s('svg', { viewBox: '0 0 320 104', role: 'img', 'aria-label': t('ladder.picture.step'), direction: 'ltr' },
    lay('3', 40), lay('4', 130), lay('5', 220));
}
