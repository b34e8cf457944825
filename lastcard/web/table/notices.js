// Short messages above the table.

import { h, morph } from '../lib/dom.js';

export class Notices {
  /** @param {(told: string) => (Node | null)[]} content what to show, given what was last told */
  constructor(content) {
    this._content = content;
    this._told = '';
    this.element = h('div', { class: 'notices', role: 'status' });
  }

  /** Says something for a while. @param {string} text @param {number} [ms] */
  tell(text, ms = 4000) {
    clearTimeout(this._timer);
    this._told = text;
    this.draw();
    this._timer = setTimeout(() => {
      this._told = '';
      this.draw();
    }, ms);
  }

  forget() {
    this._told = '';
  }

  draw() {
    morph(this.element, h('div', { class: 'notices', role: 'status' }, this._content(this._told)));
  }
}
