// Line icons for buttons.

import { s } from './dom.js';

const PATHS = {
  back: 'M15 5l-7 7 7 7',
  log: 'M5 6h14M5 12h14M5 18h9',
  rules: 'M6 4h9a3 3 0 0 1 3 3v13H9a3 3 0 0 1-3-3zM6 17a3 3 0 0 1 3-3h9',
  hint: 'M9 18h6M10 21h4M12 3a6 6 0 0 1 4 10.5c-.8.8-1 1.5-1 2.5H9c0-1-.2-1.700-1-2.500A6 6 0 0 1 12 3z',
  more: 'M5 11a1 1 0 1 0 0 2 1 1 0 0 0 0-2zM12 11a1 1 0 1 0 0 2 1 1 0 0 0 0-2zM19 11a1 1 0 1 0 0 2 1 1 0 0 0 0-2z',
  undo: 'M8 5L4 9l4 4M4 9h10a6 6 0 0 1 0 12H9',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M14 4.500v5M6 14.500v5',
  smile: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8.500 10h.01M15.500 10h.01M8 14.500c2 2.700 6 2.700 8 0',
  sound: 'M4 10v4h3.500l4.500 4V6l-4.500 4zM15.500 9a4 4 0 0 1 0 6M18 6.500a8 8 0 0 1 0 11',
  mute: 'M4 10v4h3.500l4.500 4V6l-4.500 4zM16 9.500l5 5M21 9.500l-5 5',
  close: 'M6 6l12 12M18 6L6 18',
  first: 'M18 5l-8 7 8 7M6 5v14',
  previous: 'M15 5l-8 7 8 7',
  next: 'M9 5l8 7-8 7',
  last: 'M6 5l8 7-8 7M18 5v14',
  play: 'M8 5l11 7-11 7z',
  stop: 'M8 5v14M16 5v14',
};

/** @param {keyof typeof PATHS} name */
export function icon(name) {
  return s('svg', { viewBox: '0 0 24 24', fill: 'none', stroke: 'currentColor', 'stroke-width': 2.2,
      'stroke-linecap': 'round', 'stroke-linejoin': 'round', 'aria-hidden': 'true',
      class: name === 'back' ? 'mirrored' : '' },
    s('path', { d: PATHS[name] }));
}
