// "What is this?": tooltips for everything that has a sentence about itself.
//
// They open on a long press, on a tap where a tap does nothing else, under a resting mouse, on a right click, and on
// the "?" key for the focused element. Escape, a tap anywhere or a drag closes them.

import { h } from './dom.js';

const LONG_PRESS = 450; // milliseconds
const HOVER = 900; // milliseconds that the mouse has to rest
const SLOP = 8; // pixels that a press may move before it becomes a drag
const EDGE = 8; // pixels to the edge of the screen
const EXPLAINED = '[data-about]:not([data-about=""])';
const CLICKABLE = 'button, a, input, select, summary, [role="button"], .tappable'; // a tap there is no question

/**
 * The attributes that give an element a name and an explanation.
 * @param {string} what
 * @param {string} sentence
 */
export const about = (what, sentence) => ({ 'data-what': what, 'data-about': sentence });

/** Explains what lies within an element. */
export class About {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** Called when "?" is pressed with nothing in focus. @type {(() => void) | null} */
    this.asked = null;
    /** @type {Element | null} */
    this.thing = null; // what the open tip explains
    /** @type {HTMLElement | null} */
    this._tip = null;
    this._hovering = false; // whether the tip is open because the mouse rests there
    /** @type {Element | null} */
    this._before = null; // what the tip explained when the finger came down
    /** @type {{x: number, y: number, long: boolean} | null} */
    this._press = null;
    this._held = false; // whether the next click ends a long press
    this._mouse = { x: NaN, y: NaN };
    this._listeners = new AbortController();
    const { signal } = this._listeners;
    document.addEventListener('pointerdown', (event) => this._down(event), { capture: true, signal });
    document.addEventListener('pointermove', (event) => this._move(event), { signal });
    for (const end of /** @type {const} */ (['pointerup', 'pointercancel']))
      document.addEventListener(end, () => this._up(), { signal });
    document.documentElement.addEventListener('pointerleave', () => this._hover(null), { signal });
    document.addEventListener('keydown', (event) => this._key(event), { capture: true, signal });
    root.addEventListener('click', (event) => this._swallow(event), { capture: true, signal });
    root.addEventListener('click', (event) => this._click(event), { signal });
    root.addEventListener('contextmenu', (event) => this._menu(event), { signal });
  }

  close() {
    this.hide();
    clearTimeout(this._timer);
    this._listeners.abort();
    this._before = this._press = null;
  }

  hide() {
    this._tip?.remove();
    this._tip = this.thing = null;
    this._hovering = false;
  }

  /** Brings the open tip up to date after a redraw. */
  refresh() {
    const { thing, _tip: tip } = this;
    if (!thing || !tip) return;
    const same = thing.isConnected && tip.firstChild?.textContent === thing.getAttribute('data-what');
    if (same) this._fill(tip, thing);
    else this.hide();
  }

  /** All explanations, each with the names of everything it applies to. */
  all() {
    /** @type {Map<string, Set<string>>} */
    const found = new Map();
    for (const thing of this.root.querySelectorAll(EXPLAINED)) {
      const sentence = thing.getAttribute('data-about') ?? '';
      found.set(sentence, (found.get(sentence) ?? new Set()).add(thing.getAttribute('data-what') ?? ''));
    }
    return [...found].map(([sentence, names]) => ({ names: [...names], sentence }));
  }

  /** Explains what is at a place. @param {string} place */
  tell(place) {
    const thing = this.root.querySelector(`[data-place="${CSS.escape(place)}"]`)?.closest(EXPLAINED);
    if (thing && thing !== this._before) this._show(thing);
  }

  /** @param {Element} thing */
  _show(thing) {
    this.hide();
    this.thing = thing;
    this._tip = h('div', { class: 'about-tip', role: 'status', dir: document.documentElement.dir });
    this.root.append(this._tip); // empty at first, so that screen readers announce what is filled in
    this._fill(this._tip, thing);
  }

  /** @param {HTMLElement} tip @param {Element} thing */
  _fill(tip, thing) {
    tip.replaceChildren(h('b', {}, thing.getAttribute('data-what') ?? ''), ' ', h('span', {}, thing.getAttribute('data-about') ?? ''));
    const box = thing.getBoundingClientRect(), mine = tip.getBoundingClientRect();
    const x = Math.max(EDGE, Math.min(box.left + (box.width - mine.width) / 2, window.innerWidth - mine.width - EDGE));
    const above = box.top - mine.height - EDGE, low = window.innerHeight - mine.height - EDGE;
    const y = above >= EDGE ? above : Math.min(box.bottom + EDGE, low); // above if possible: a finger would cover it below
    tip.style.setProperty('left', `${Math.round(x)}px`);
    tip.style.setProperty('top', `${Math.round(Math.max(EDGE, y))}px`);
  }

  /** @param {EventTarget | null} target */
  _find(target) {
    return target instanceof Element && this.root.contains(target) ? target.closest(EXPLAINED) : null;
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
    this._timer = setTimeout(() => this._long(thing), LONG_PRESS);
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
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < SLOP) return;
      if (press.long) this.hide(); // it was a drag after all
      this._held = false;
      this._up();
    } else if (event.pointerType === 'mouse' && event.buttons === 0) {
      const { x, y } = this._mouse; // unless it moved, something was drawn under a resting mouse
      this._mouse = { x: event.clientX, y: event.clientY };
      if (x !== event.clientX || y !== event.clientY) this._hover(this._find(event.target));
    }
  }

  /** The mouse has moved there. @param {Element | null} thing */
  _hover(thing) {
    if (this._press || (this.thing && !this._hovering)) return;
    if (this.thing && this.thing === thing) return;
    this.hide();
    clearTimeout(this._timer);
    if (!thing) return;
    this._timer = setTimeout(() => {
      if (!thing.isConnected || this.thing) return;
      this._show(thing);
      this._hovering = true;
    }, HOVER);
  }

  _up() {
    this._press = null;
    clearTimeout(this._timer);
  }

  /** Drops the click that ends a long press; one by keyboard never does. @param {MouseEvent} event */
  _swallow(event) {
    if (!this._held || event.detail === 0) return;
    this._held = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** @param {MouseEvent} event */
  _click(event) {
    const thing = this._find(event.target);
    if (!thing || /** @type {Element} */ (event.target).closest(CLICKABLE)) return;
    if (thing !== this._before) this._show(thing);
    this._before = null;
  }

  /** A right click, the menu key, or the system's own long press. @param {MouseEvent} event */
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
