// Which options of a game go together: the server says what clashes, and the page need not know why.

/**
 * Options that do not go together: refused if each has the given value, or is above the given number.
 * @typedef {object} Clash
 * @property {number[] | null} players the numbers of players it applies to; null for any
 * @property {Record<string, any>} when
 */
/** Values of options, by name. @typedef {Record<string, any>} Values */

/** @param {any} wanted @returns {wanted is {above: number}} */
const isLimit = (wanted) => typeof wanted === 'object' && wanted !== null;

/** @param {any} wanted @param {any} value */
const meets = (wanted, value) => (isLimit(wanted) ? value !== null && value > wanted.above : value === wanted);

/**
 * The clashes among some values; `but` names an option whose value does not matter.
 * @param {any} game as the server describes it
 * @param {number} players
 * @param {Values} values
 * @param {string} [but]
 * @returns {Clash[]}
 */
export function clashes(game, players, values, but) {
  return game.clashes.filter((/** @type {Clash} */ clash) =>
    (clash.players === null || clash.players.includes(players))
    && Object.entries(clash.when).every(([name, wanted]) => name === but || meets(wanted, values[name])));
}

/**
 * The values after resolving clashes: numbers give way first, then any option but the one changed last.
 * @param {any} game
 * @param {number} players
 * @param {Values} values
 * @param {string} [changed]
 * @returns {Values}
 */
export function settled(game, players, values, changed) {
  const now = { ...values };
  for (let [clash] = clashes(game, players, now); clash; [clash] = clashes(game, players, now)) {
    const names = Object.keys(clash.when), { when } = clash;
    const name = names.find((one) => isLimit(when[one])) ?? names.find((one) => one !== changed) ?? '';
    now[name] = alternative(game.options.find((/** @type {any} */ option) => option.name === name), when[name]);
  }
  return now;
}

/** @param {any} option @param {any} refused */
function alternative(option, refused) {
  if (isLimit(refused)) return refused.above;
  if (option.kind === 'flag') return !refused;
  return option.choices.find((/** @type {string} */ one) => one !== refused);
}

/**
 * What cannot be chosen now, because it would clash with the rest: turning a switch on, a choice, a number above.
 * @param {any} game
 * @param {number} players
 * @param {Values} values
 * @returns {{name: string, refused: any, clash: Clash}[]}
 */
export function barred(game, players, values) {
  return game.options.flatMap((/** @type {any} */ { name }) => clashes(game, players, values, name)
    .filter(({ when }) => name in when && when[name] !== false) // switches can always be turned off
    .filter(({ when }) => isLimit(when[name]) || !Object.values(when).some(isLimit)) // numbers give way instead
    .map((clash) => ({ name, refused: clash.when[name], clash })));
}
