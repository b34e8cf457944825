// "What is this?": whatever carries a sentence about itself tells it when somebody wants to know.
//
// A long press, or a tap where a tap does nothing else; a mouse that rests, or its other button; the key
// "?" for what has the focus. Escape, a tap anywhere and a drag put it away.

import { h } from './dom.js';

const LONG = 450; // milliseconds of a long press
const REST = 900; // milliseconds that a mouse has to rest
const FAR = 8; // pixels before a press becomes something else
const EDGE = 8; // pixels to the edge of the screen
const TOLD = '[data-about]:not([data-about=""])';
const DOES = 'button, a, input, select, summary, [role="button"], .tappable'; // a tap there is not a question

/**
 * What an element is called and what it is, as attributes.
 * @param {string} what
 * @param {string} sentence
 */
export const about = (what, sentence) => ({ 'data-what': what, 'data-about': sentence });

/** Tells about what lies within an element. */
export class About {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** What to do if "?" is asked about nothing in particular. @type {(() => void) | null} */
    this.asked = null;
    /** @type {Element | null} */
    this.thing = null; // what is told about
    /** @type {HTMLElement | null} */
    this._tip = null;
    this._resting = false; // whether it is told because the mouse rests there
    /** @type {Element | null} */
    this._before = null; // what was told about when the finger came down
    /** @type {{x: number, y: number, long: boolean} | null} */
    this._press = null;
    this._held = false; // the click that follows belongs to a long press
    this._mouse = { x: NaN, y: NaN };
    this._ears = new AbortController();
    const { signal } = this._ears;
    document.addEventListener('pointerdown', (event) => this._down(event), { capture: true, signal });
    document.addEventListener('pointermove', (event) => this._move(event), { signal });
    for (const end of /** @type {const} */ (['pointerup', 'pointercancel']))
      document.addEventListener(end, () => this._up(), { signal });
    document.documentElement.addEventListener('pointerleave', () => this._rest(null), { signal });
    document.addEventListener('keydown', (event) => this._key(event), { capture: true, signal });
    root.addEventListener('click', (event) => this._swallow(event), { capture: true, signal });
    root.addEventListener('click', (event) => this._click(event), { signal });
    root.addEventListener('contextmenu', (event) => this._menu(event), { signal });
  }

  close() {
    this.hide();
    clearTimeout(this._timer);
    this._ears.abort();
    this._before = this._press = null;
  }

  hide() {
    this._tip?.remove();
    this._tip = this.thing = null;
    this._resting = false;
  }

  /** What is told is brought up to date with what has been drawn. */
  refresh() {
    const { thing, _tip: tip } = this;
    if (!thing || !tip) return;
    const same = thing.isConnected && tip.firstChild?.textContent === thing.getAttribute('data-what');
    if (same) this._fill(tip, thing);
    else this.hide();
  }

  /** Everything that can be asked about: equal sentences once, with the names of all they are about. */
  all() {
    /** @type {Map<string, Set<string>>} */
    const found = new Map();
    for (const thing of this.root.querySelectorAll(TOLD)) {
      const sentence = thing.getAttribute('data-about') ?? '';
      found.set(sentence, (found.get(sentence) ?? new Set()).add(thing.getAttribute('data-what') ?? ''));
    }
    return [...found].map(([sentence, names]) => ({ names: [...names], sentence }));
  }

  /** Tells about what is at a place. @param {string} place */
  tell(place) {
    const thing = this.root.querySelector(`[data-place="${CSS.escape(place)}"]`)?.closest(TOLD);
    if (thing && thing !== this._before) this._show(thing);
  }

  /** @param {Element} thing */
  _show(thing) {
    this.hide();
    this.thing = thing;
    this._tip = h('div', { class: 'about-tip', role: 'status', dir: document.documentElement.dir });
    this.root.append(this._tip); // empty at first: what is filled in then is read out
    this._fill(this._tip, thing);
  }

  /** @param {HTMLElement} tip @param {Element} thing */
  _fill(tip, thing) {
    tip.replaceChildren(h('b', {}, thing.getAttribute('data-what') ?? ''), ' ', h('span', {}, thing.getAttribute('data-about') ?? ''));
    const box = thing.getBoundingClientRect(), mine = tip.getBoundingClientRect();
    const x = Math.max(EDGE, Math.min(box.left + (box.width - mine.width) / 2, window.innerWidth - mine.width - EDGE));
    const above = box.top - mine.height - EDGE, low = window.innerHeight - mine.height - EDGE;
    const y = above >= EDGE ? above : Math.min(box.bottom + EDGE, low); // above, where no finger covers it
    tip.style.setProperty('left', `${Math.round(x)}px`);
    tip.style.setProperty('top', `${Math.round(Math.max(EDGE, y))}px`);
  }

  /** @param {EventTarget | null} target */
  _find(target) {
    return target instanceof Element && this.root.contains(target) ? target.closest(TOLD) : null;
  }

  /** @param {PointerEvent} event */
  _down(event) {
    this._before = this.thing;
    this.hide();
    clearTimeout(this._timer);
    this._held = false;
    this._press = null;
    const thing = event.button === 0 ? this._find(event.target) : null;
    if (!thing) return;
    this._press = { x: event.clientX, y: event.clientY, long: false };
    this._timer = setTimeout(() => this._long(thing), LONG);
  }

  /** @param {Element} thing */
  _long(thing) {
    if (!this._press || !thing.isConnected) return;
    this._press.long = this._held = true;
    this._show(thing);
  }

  /** @param {PointerEvent} event */
  _move(event) {
    const press = this._press;
    if (press) {
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < FAR) return;
      if (press.long) this.hide(); // it is dragged after all
      this._held = false;
      this._up();
    } else if (event.pointerType === 'mouse' && event.buttons === 0) {
      const { x, y } = this._mouse; // something that comes under a mouse at rest is not pointed at
      this._mouse = { x: event.clientX, y: event.clientY };
      if (x !== event.clientX || y !== event.clientY) this._rest(this._find(event.target));
    }
  }

  /** The mouse is there now. @param {Element | null} thing */
  _rest(thing) {
    if (this._press || (this.thing && !this._resting)) return;
    if (this.thing && this.thing === thing) return;
    this.hide();
    clearTimeout(this._timer);
    if (!thing) return;
    this._timer = setTimeout(() => {
      if (!thing.isConnected || this.thing) return;
      this._show(thing);
      this._resting = true;
    }, REST);
  }

  _up() {
    this._press = null;
    clearTimeout(this._timer);
  }

  /** A click with the keyboard is never part of a press. @param {MouseEvent} event */
  _swallow(event) {
    if (!this._held || event.detail === 0) return;
    this._held = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** @param {MouseEvent} event */
  _click(event) {
    const thing = this._find(event.target);
    if (!thing || /** @type {Element} */ (event.target).closest(DOES)) return;
    if (thing !== this._before) this._show(thing);
    this._before = null;
  }

  /** The other button of a mouse, the key for it, or a long press of the system. @param {MouseEvent} event */
  _menu(event) {
    event.preventDefault();
    const thing = this._find(event.target);
    if (!thing || this._press?.long) return;
    clearTimeout(this._timer);
    if (this._press) this._long(thing);
    else this._show(thing);
  }

  /** @param {KeyboardEvent} event */
  _key(event) {
    if (event.key === 'Escape' && this.thing) {
      this.hide();
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === '?') {
      const focused = document.activeElement, here = this.root.contains(focused);
      const thing = here ? this._find(focused) : null;
      if (thing) this._show(thing);
      else if (here || focused === document.body) this.asked?.();
    }
  }
}
