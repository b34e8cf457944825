// What the page says, in the language of who reads it.
//
// A catalogue is a flat mapping from keys to messages. In a message {name} stands for a value, and
// {n|card|cards} for the form that goes with the number n: English has two (1, other), Russian three
// (1, 2, 5) and Hebrew three (1, 2, other).

/** @typedef {Record<string, string>} Catalogue */
/** @typedef {'en' | 'he' | 'ru'} Language */

export const LANGUAGES = /** @type {const} */ (['en', 'he', 'ru']);
export const LANGUAGE_NAMES = { en: 'English', he: 'עברית', ru: 'Русский' };
const FORMS = { en: ['one', 'other'], he: ['one', 'two', 'other'], ru: ['one', 'few', 'many'] };

/** @type {Language} */
let language = 'en';
/** @type {Catalogue} */
let messages = {};
/** @type {Set<string>} */
let parts = new Set();
let plurals = new Intl.PluralRules('en');
let numbers = new Intl.NumberFormat('en');

export const current = () => language;
export const direction = () => (language === 'he' ? 'rtl' : 'ltr');

/** The language that the browser asks for first among ours. @returns {Language} */
export function preferred() {
  for (const wanted of navigator.languages ?? []) {
    const short = wanted.toLowerCase().split('-')[0];
    if (short === 'iw') return 'he'; // the old code for Hebrew
    const found = LANGUAGES.find((one) => one === short);
    if (found) return found;
  }
  return 'en';
}

/** @param {Language} wanted */
export async function speak(wanted) {
  const shell = await import(`../words/${wanted}.js`);
  const games = await Promise.all([...parts].map((game) => ofGame(game, wanted)));
  language = wanted;
  plurals = new Intl.PluralRules(wanted);
  numbers = new Intl.NumberFormat(wanted);
  messages = Object.assign({}, shell.default, ...games);
  document.documentElement.lang = wanted;
  document.documentElement.dir = direction();
}

/** Adds what a game says: its keys are prefixed with its id. @param {string} game */
export async function learn(game) {
  if (parts.has(game)) return;
  Object.assign(messages, await ofGame(game, language));
  parts.add(game);
}

/**
 * @param {string} game
 * @param {Language} wanted
 */
async function ofGame(game, wanted) {
  const { default: words } = await import(`../games/${game}/words.${wanted}.js`);
  return Object.fromEntries(Object.entries(words).map(([key, text]) => [`${game}.${key}`, text]));
}

/**
 * The message for a key, with its values filled in.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  const message = messages[key];
  if (message === undefined) {
    console.error(`no message ${key} (${language})`);
    return key;
  }
  return message.replace(/\{(\w+)(?:\|([^}]*))?\}/g, (_, name, forms) => {
    const value = values[name];
    if (value === undefined) console.error(`the message ${key} (${language}) lacks ${name}`);
    return forms === undefined ? String(value) : form(Number(value), forms.split('|'));
  });
}

/** Whether there is such a message. @param {string} key */
export const has = (key) => key in messages;

/**
 * @param {number} n
 * @param {string[]} forms
 */
function form(n, forms) {
  const place = FORMS[language].indexOf(plurals.select(n));
  return forms[place < 0 ? forms.length - 1 : Math.min(place, forms.length - 1)];
}

/** @param {string[]} items @param {'and' | 'or'} [how] */
export function list(items, how = 'and') {
  const type = how === 'or' ? 'disjunction' : 'conjunction';
  return new Intl.ListFormat(language === 'en' ? 'en-GB' : language, { type }).format(items);
}

/** @param {number} n */
export const number = (n) => numbers.format(n).replace('-', '−'); // a minus, not a hyphen
