// Which options of a game go together: the server says what clashes, and nothing here knows why.

/**
 * Refused if every option is as it says: a value, or a number above.
 * @typedef {object} Clash
 * @property {number[] | null} players for so many, or any
 * @property {Record<string, any>} when
 */
/** @typedef {Record<string, any>} Values of options, by their names */

/** @param {any} wanted @returns {wanted is {above: number}} */
const isNumber = (wanted) => typeof wanted === 'object' && wanted !== null;

/** @param {any} wanted @param {any} value */
const meets = (wanted, value) => (isNumber(wanted) ? value !== null && value > wanted.above : value === wanted);

/**
 * The clashes of a game that hold; `but` for an option, whatever it is.
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
 * The same options with what has to give way: a number first, then any but the one that was changed last.
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
    const name = names.find((one) => isNumber(when[one])) ?? names.find((one) => one !== changed) ?? '';
    now[name] = instead(game.options.find((/** @type {any} */ option) => option.name === name), when[name]);
  }
  return now;
}

/** @param {any} option @param {any} refused */
function instead(option, refused) {
  if (isNumber(refused)) return refused.above;
  if (option.kind === 'flag') return !refused;
  return option.choices.find((/** @type {string} */ one) => one !== refused);
}

/**
 * What cannot be chosen now, since it would clash with the rest: a switch that is off, a choice, a number above.
 * @param {any} game
 * @param {number} players
 * @param {Values} values
 * @returns {{name: string, refused: any, clash: Clash}[]}
 */
export function barred(game, players, values) {
  return game.options.flatMap((/** @type {any} */ { name }) => clashes(game, players, values, name)
    .filter(({ when }) => name in when && when[name] !== false) // what is on can always be turned off,
    .filter(({ when }) => isNumber(when[name]) || !Object.values(when).some(isNumber)) // and numbers give way
    .map((clash) => ({ name, refused: clash.when[name], clash })));
}
