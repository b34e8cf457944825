// The end of a match: confetti for the winners, a kind sound for everybody else.

import { h } from '../lib/dom.js';
import { playSound } from '../lib/sound.js';
import { reducedMotion } from '../lib/settings.js';

const PIECES = 70;
const COLOURS = ['#D1495B', '#EDAE49', '#2E8B6F', '#2374AB', '#8B5FBF'];
const FALL = 1800; // milliseconds for the fastest piece; the slowest takes twice as long

/** @param {boolean} won */
export function celebrate(won) {
  playSound(won ? 'win' : 'lose');
  if (won && !reducedMotion() && !document.hidden) confetti();
}

/** Over everything, even an open dialog; a tap or a key ends it. */
function confetti() {
  const pieces = Array.from({ length: PIECES }, (_, n) =>
    h('i', { style: { left: `${Math.random() * 100}%`, background: COLOURS[n % COLOURS.length] ?? '', 'border-radius': n % 3 ? '2px' : '50%' } }));
  const sheet = h('div', { class: 'confetti', popover: 'manual', 'aria-hidden': 'true' }, pieces);
  document.body.append(sheet);
  sheet.showPopover();
  const end = () => {
    document.removeEventListener('pointerdown', end, true);
    document.removeEventListener('keydown', end, true);
    sheet.remove();
  };
  document.addEventListener('pointerdown', end, true);
  document.addEventListener('keydown', end, true);
  const falls = pieces.map((piece) => piece.animate([
    { transform: 'translateY(-5vh) rotate(0turn)', opacity: 1 },
    { transform: `translate(${(Math.random() - 0.5) * 30}vw, 105vh) rotate(${1 + 2 * Math.random()}turn)`, opacity: 0.8 },
  ], { duration: FALL * (1 + Math.random()), easing: 'cubic-bezier(0.2, 0.4, 0.7, 1)', fill: 'forwards' }).finished);
  Promise.all(falls).then(end, end);
}
