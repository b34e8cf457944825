// Which options of a game go together: the server says what clashes, and the page need not know why.

/** @typedef {import('../types').GameInfo} GameInfo */
/** @typedef {import('../types').Clash} Clash */
/** @typedef {import('../types').OptionValue} OptionValue */
/** Values of options, by name. @typedef {Record<string, OptionValue>} Values */
/** What a clash refuses: a value, or any number above one. @typedef {Clash['when'][string]} Wanted */
/** @typedef {{name: string, refused: Wanted, clash: Clash}} Barred */

/** @param {Wanted | undefined} wanted @returns {wanted is {above: number}} */
export const isLimit = (wanted) => typeof wanted === 'object' && wanted !== null;

/** @param {Wanted} wanted @param {OptionValue | undefined} value */
const meets = (wanted, value) => (isLimit(wanted) ? typeof value === 'number' && value > wanted.above : value === wanted);

/**
 * The clashes among some values; `but` names an option whose value does not matter.
 * @param {Pick<GameInfo, 'clashes'>} game
 * @param {number} players
 * @param {Values} values
 * @param {string} [but]
 * @returns {Clash[]}
 */
export function clashes(game, players, values, but) {
  return game.clashes.filter((clash) =>
    (clash.players === null || clash.players.includes(players))
    && Object.entries(clash.when).every(([name, wanted]) => name === but || meets(wanted, values[name])));
}

/**
 * The values after resolving clashes: numbers give way first, then any option but the one changed last.
 * @param {Pick<GameInfo, 'clashes' | 'options'>} game
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
    now[name] = alternative(game.options.find((option) => option.name === name), when[name]);
  }
  return now;
}

/**
 * @param {import('../types').Option | undefined} option
 * @param {Wanted | undefined} refused
 * @returns {OptionValue}
 */
function alternative(option, refused) {
  if (isLimit(refused)) return refused.above;
  if (option?.kind === 'flag') return !refused;
  return option?.choices?.find((one) => one !== refused) ?? null;
}

/**
 * What cannot be chosen now, because it would clash with the rest: turning a switch on, a choice, a number above.
 * @param {Pick<GameInfo, 'clashes' | 'options'>} game
 * @param {number} players
 * @param {Values} values
 * @returns {Barred[]}
 */
export function barred(game, players, values) {
  return game.options.flatMap(({ name }) => clashes(game, players, values, name)
    .filter(({ when }) => name in when && when[name] !== false) // switches can always be turned off
    .filter(({ when }) => isLimit(when[name]) || !Object.values(when).some(isLimit)) // numbers give way instead
    .map((clash) => ({ name, refused: clash.when[name] ?? null, clash })));
}
