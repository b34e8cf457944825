// What the page says, in the reader's language.
//
// A catalogue maps keys to messages. In a message,
// - {name} stands for a value;
// - {n|card|cards} for the plural form that goes with the number n: English has two (1, other), Russian three
//   (1, 2, 5) and Hebrew three (1, 2, other). An extra form before them is for exactly one: in Russian, the first
//   is also used for 21;
// - {name@drew (he)|drew (she)|drew (neither)} for the form that goes with a person's pronoun. {names@...}, for one
//   person or several, has a fourth form, for "they";
// - {@...} for the form that goes with the reader's pronoun.
// Forms may contain values and forms.

/** @typedef {Record<string, string>} Catalogue */
/** How to speak of somebody; null for neither. @typedef {'he' | 'she' | null} Pronoun */
/** One person in a sentence, or several. @typedef {{name: string, pronoun: Pronoun | 'they'}} Person */
/** @typedef {Record<string, string | number | Person>} Values */
/** @typedef {{name: string, by: '' | '|' | '@', forms: Part[][]}} Slot */
/** @typedef {string | Slot} Part */
/** @typedef {'en' | 'he' | 'ru'} Language */

export const LANGUAGES = /** @type {const} */ (['en', 'he', 'ru']);
export const LANGUAGE_NAMES = { en: 'English', he: 'עברית', ru: 'Русский' };
const PRONOUNS = ['he', 'she', null, 'they'];
const FORMS = { en: ['one', 'other'], he: ['one', 'two', 'other'], ru: ['one', 'few', 'many'] };

/** @type {Language} */
let language = 'en';
/** @type {Catalogue} */
let messages = {};
/** @type {Set<string>} */
let parts = new Set();
/** @type {Pronoun} */
let reader = null;
let plurals = new Intl.PluralRules('en');
let numbers = new Intl.NumberFormat('en');

export const current = () => language;
export const direction = () => (language === 'he' ? 'rtl' : 'ltr');

/** The first of our languages that the browser asks for. @returns {Language} */
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

/** Loads the messages of a game; their keys get its id as a prefix. @param {string} game */
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
  const { default: words } = await import(`../../games/${game}/face/words.${wanted}.js`);
  return Object.fromEntries(Object.entries(words).map(([key, text]) => [`${game}.${key}`, text]));
}

/**
 * The message for a key, with values filled in.
 * @param {string} key
 * @param {Values} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  const message = messages[key];
  if (message === undefined) {
    console.error(`no message ${key} (${language})`);
    return key;
  }
  return message.includes('{') ? fill(parsed(message), values, key) : message;
}

/** @type {Map<string, Part[]>} */
const known = new Map();

/** @param {string} message */
function parsed(message) {
  const parts = known.get(message) ?? parse(message);
  known.set(message, parts);
  return parts;
}

/**
 * Splits a message into its parts.
 * @param {string} message
 * @returns {Part[]}
 */
export function parse(message) {
  /** @type {Part[]} */
  const parts = [];
  let from = 0;
  for (let open = message.indexOf('{'); open >= 0; open = message.indexOf('{', from)) {
    if (open > from) parts.push(message.slice(from, open));
    const inside = split(message.slice(open + 1), '}')[0] ?? '';
    const [, name = '', by = '', forms = ''] = /^(\w*)([|@]?)([^]*)$/.exec(inside) ?? [];
    parts.push({ name, by: /** @type {Slot['by']} */ (by), forms: by ? split(forms, '|').map(parse) : [] });
    from = open + inside.length + 2;
  }
  if (from < message.length) parts.push(message.slice(from));
  return parts;
}

/**
 * Splits a text at a sign, except within braces.
 * @param {string} text
 * @param {string} sign
 */
function split(text, sign) {
  const found = [''];
  let depth = 0;
  for (const one of text) {
    if (one === sign && depth === 0) {
      found.push('');
      continue;
    }
    depth += Number(one === '{') - Number(one === '}');
    found[found.length - 1] += one;
  }
  return found;
}

/**
 * @param {Part[]} parts
 * @param {Values} values
 * @param {string} key
 * @param {string} [before] the text so far
 * @returns {string}
 */
function fill(parts, values, key, before = '') {
  let text = before;
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    const { name, by, forms } = part;
    const value = name ? values[name] : { name: '', pronoun: reader };
    if (value === undefined) console.error(`the message ${key} (${language}) lacks ${name}`);
    if (by === '') text = joined(text, typeof value === 'object' ? value.name : String(value));
    else if (by === '|') text = fill(form(Number(value), forms), values, key, text);
    else if (typeof value === 'object') text = fill(forms[PRONOUNS.indexOf(value.pronoun)] ?? [], values, key, text);
    else console.error(`${name} is not a person in the message ${key} (${language})`);
  }
  return text;
}

/**
 * Hebrew prefixes attach directly to Hebrew words, and with a hyphen to anything else.
 * @param {string} text
 * @param {string} value
 */
function joined(text, value) {
  const prefixed = language === 'he' && /(^|[^\u0590-\u05ff])[\u05d0-\u05ea]$/.test(text);
  return prefixed && !/^\u2068?[\u05d0-\u05ea]/.test(value) ? `${text}\u05be${value}` : text + value;
}

/** Sets the reader's pronoun. @param {Pronoun} pronoun */
export function readBy(pronoun) {
  reader = pronoun;
}

/**
 * One or several people at a table, for a sentence. A name in the other writing direction is isolated.
 * @param {import('../types').Seating} at
 * @param {...number} seats
 * @returns {Person}
 */
export function named(at, ...seats) {
  const names = seats.map((seat) => {
    const name = at.names[seat] ?? '';
    return /[\u0590-\u08ff]/.test(name) === (direction() === 'rtl') ? name : `\u2068${name}\u2069`;
  });
  const [first = 0] = seats;
  return { name: list(names), pronoun: seats.length > 1 ? 'they' : (at.pronouns[first] ?? null) };
}

/** Whether there is a message for a key. @param {string} key */
export const has = (key) => key in messages;

/**
 * @param {number} n
 * @param {Part[][]} forms
 */
function form(n, forms) {
  const kinds = FORMS[language], more = forms.length - kinds.length;
  if (more > 0 && n === 1) return forms[0] ?? [];
  const place = kinds.indexOf(plurals.select(n));
  return forms[place < 0 ? forms.length - 1 : place + more] ?? [];
}

/** @param {string[]} items @param {'and' | 'or'} [how] */
export function list(items, how = 'and') {
  const type = how === 'or' ? 'disjunction' : 'conjunction';
  return new Intl.ListFormat(language === 'en' ? 'en-GB' : language, { type }).format(items);
}

/** @param {number} n */
export const number = (n) => numbers.format(n).replace('-', '−'); // a minus, not a hyphen
