// Shown when there is nothing at an address.

import { h } from '../lib/dom.js';
import { t } from '../lib/words.js';
import { bar } from './parts.js';

/** @type {import('../lib/router.js').Screen} */
export default async function missing(root) {
  root.append(bar(t('missing.title')),
    h('main', { class: 'page narrow' }, h('p', {}, t('missing.text')),
      h('p', {}, h('a', { class: 'button', href: '/' }, t('nav.lobby')))));
}
