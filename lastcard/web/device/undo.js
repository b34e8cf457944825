// Whether a move may be taken back: only if nobody has learnt anything from it.

const WORLDS = 32; // sampled worlds in which the move must look the same to its player

/**
 * Whether a move told its player nothing new, and the others nothing its player did not know.
 *
 * This needs no game's rules. If the move revealed something its player could not know, the outcome would differ in
 * other worlds that fit all the player knew before. And cards that only some of the others may see always come in an
 * event with secrets.
 * @param {import('./match.js').Match} before
 * @param {import('./match.js').Match} after
 * @param {number} seat
 * @param {number} action its number
 * @param {import('./types').Log} log
 */
export function revealsNothing(before, after, seat, action, log) {
  const { engine } = before, everybody = (1 << engine.facts.chance) - 1;
  for (let row = 1; row <= (log[0] ?? 0); row += 1) {
    const [kind = 0, , eyes = 0] = log.subarray(row * engine.columns);
    if (engine.facts.events[kind]?.secret.length && eyes !== everybody && eyes & ~(1 << seat)) return false;
  }
  const known = before.hidden(seat), outcome = after.hidden(seat), told = engine.events(log, seat, false);
  // Seeded by what the player knows, so that every tab comes to the same answer.
  const rng = new BigUint64Array(known.slice(-8).buffer);
  rng[0] = (rng[0] ?? 0n) | 1n;
  for (let world = 0; world < WORLDS; world += 1) {
    const guessed = engine.apply(engine.guess(known, seat, rng), seat, action);
    if (!same(engine.hide(guessed.record, seat), outcome) || engine.events(guessed.log, seat, false) !== told) return false;
  }
  return true;
}

/** @param {Uint8Array} one @param {Uint8Array} other */
const same = (one, other) => one.every((byte, place) => byte === other[place]);
