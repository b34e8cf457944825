// How the page speaks, looks and sounds on this device.

import { h } from '../lib/dom.js';
import { again } from '../lib/router.js';
import { playSound } from '../lib/sound.js';
import { get, language, set } from '../lib/settings.js';
import { LANGUAGES, LANGUAGE_NAMES, t } from '../lib/words.js';
import { bar, choose, nameField } from './parts.js';

/** @typedef {import('../lib/settings.js').Settings} Settings */

/** @type {import('../lib/router.js').Screen} */
export default async function settings(root) {
  const now = get();
  root.append(bar(t('settings.title')),
    h('main', { class: 'page narrow' },
      h('section', { class: 'sheet' },
        choose(t('settings.language'), 'language', LANGUAGES.map((one) => [one, LANGUAGE_NAMES[one]]), language(), (value) => {
          set({ language: /** @type {Settings['language']} */ (value) });
          again();
        }),
        nameField(t('new.name'),
          { value: now.name, autocomplete: 'nickname', placeholder: t('seat.guest'),
            onchange: (/** @type {Event} */ event) => set({ name: /** @type {HTMLInputElement} */ (event.target).value.trim() }) },
          { value: now.pronoun, 'data-pronoun': true,
            onchange: (/** @type {Event} */ event) => {
              const { value } = /** @type {HTMLSelectElement} */ (event.target);
              set({ pronoun: /** @type {Settings['pronoun']} */ (value) });
              again();
            } }),
        choose(t('settings.theme'), 'theme',
          [['', t('settings.theme.system')], ['light', t('settings.theme.light')], ['dark', t('settings.theme.dark')]], now.theme,
          (value) => set({ theme: /** @type {Settings['theme']} */ (value) })),
        toggle(t('settings.sound'), now.sound, (sound) => {
          set({ sound });
          playSound('card');
        }),
        toggle(t('settings.motion'), now.motion, (motion) => set({ motion })),
        toggle(t('settings.advance'), now.advance, (advance) => set({ advance }), t('settings.advance.help')))));
}

/**
 * @param {string} words
 * @param {boolean} checked
 * @param {(on: boolean) => void} change
 * @param {string} [help]
 */
function toggle(words, checked, change, help) {
  return h('label', { class: 'tick' },
    h('input', { type: 'checkbox', role: 'switch', checked,
      onchange: (/** @type {Event} */ event) => change(/** @type {HTMLInputElement} */ (event.target).checked) }),
    h('span', {}, words), help ? h('span', { class: 'help' }, help) : null);
}
