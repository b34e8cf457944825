// Don't trust, verify: deals a finished live match again from the secret and the seeds, plays it again, and compares
// everything that a seat was shown and told with what the rules say.
//
// What was shown may have gaps, after lost connections, and moves that were taken back: those are not in the file. So
// each look is placed somewhere on the way that the match took: after so many of its moves, or one move off that way.

import { BadFile, checkShuffle, checkState, read, start, step } from './files.js';
import { Match } from './match.js';
import { commitmentOf } from './shuffle.js';

/** @typedef {import('./engine.js').Engine} Engine */
/** @typedef {import('./types').Look} Look */
/** @typedef {import('./types').Verdict} Verdict */
/** @typedef {import('./types').Zone} Zone */
/** @typedef {Record<string, unknown>} View */

const LOOKING_BACK = 4; // looks: a move is taken back before anything else happens, so mistakes show at once

/** Where a look may be: after how many moves, and whether one more was made that was taken back. @typedef {{at: number, off: boolean}} Place */

/** A value, and the JSON of it. @typedef {{value: unknown, text: string}} Text */
/** A look to be compared. @typedef {{version: number, view: Text, events: Text | null}} Told */

/** What does not fit; `code` and the values that belong to it are for the page to word. */
class Mismatch extends Error {
  /** @param {string} code @param {Record<string, unknown>} [values] */
  constructor(code, values = {}) {
    super(code);
    this.problem = { code, ...values };
  }
}

/** @param {unknown} one @param {unknown} other @returns {boolean} */
function same(one, other) {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length
    && keys.every((key) => Object.hasOwn(other, key) && same(/** @type {View} */ (one)[key], /** @type {View} */ (other)[key]));
}

/** The keys in which two views differ. @param {View} one @param {View} other */
const differences = (one, other) =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((key) => !same(one[key], other[key]));

/**
 * Whether JSON says what was told, whatever the order of its keys.
 * @param {string} text compact
 * @param {Text} told
 */
const says = (text, told) =>
  text.length === told.text.length && (text === told.text || same(JSON.parse(text), told.value));

/** A match as it went: every state, and what the seat is shown and told of it. */
class Course {
  /** @param {Engine} engine @param {import('./types').MatchFile} file @param {number | null} seat */
  constructor(engine, file, seat) {
    const match = start(engine, file);
    this.seat = seat;
    /** @type {{match: Match, view: string, events: string}[]} */
    this.states = [this._state(match, '[]')];
    for (const move of file.moves) {
      this.states.push(this._state(match, match.tell(step(match, move, { fair: true }), seat)));
    }
    checkState(match, file);
    this.end = match;
  }

  /** The moves are left out: the file has them. @param {Match} match @param {string} events that led to it */
  _state(match, events) {
    return { match: new Match(match.engine, match.bytes), view: match.view(this.seat), events };
  }

  /** What the seat would have been shown after any one more move: it must have been one of these. @param {number} at */
  *besides(at) {
    const { match } = this.states[at];
    for (const seat of [...match.waiting, ...match.bystanders]) {
      for (const action of match.legalIds(seat)) {
        const next = match.copy(), events = next.tell(next.play(seat, action), this.seat);
        yield { view: next.view(this.seat), events };
      }
    }
  }

  /** Whether a look shows the match at a place. @param {Told} told @param {Place} place */
  fits({ view, events }, { at, off }) {
    const states = off ? this.besides(at) : [this.states[at]];
    for (const state of states) {
      if (says(state.view, view) && (!events || says(state.events, events))) return true;
    }
    return false;
  }
}

/**
 * Whether a match can get from one place to a later one in so many versions. A move that stays takes one, a move that
 * is taken back two.
 * @param {Place} from
 * @param {Place} to
 * @param {number} versions
 */
function reaches(from, to, versions) {
  if (versions === 0) return from.at === to.at && from.off === to.off;
  const undone = (versions - (to.at - from.at) - Number(to.off) + Number(from.off)) / 2;
  return to.at >= from.at && Number.isInteger(undone) && undone >= Number(from.off);
}

/**
 * The places where each look may be. Moves that were taken back take long to find, as they are not in the file: they
 * are looked for only where the match did not go straight on.
 */
class Tracking {
  /** @param {Course} course @param {Look[]} shown */
  constructor(course, shown) {
    const last = shown.at(-1);
    this.course = course;
    /** @type {Told[]} */
    this.told = shown.map(({ version, view, events }) => ({
      version,
      view: { value: view, text: JSON.stringify(view) },
      events: events ? { value: events, text: JSON.stringify(events) } : null,
    }));
    this.all = course.states.flatMap((_, at) => [{ at, off: false }, { at, off: true }]);
    this.end = last?.view.over ? { place: { at: course.states.length - 1, off: false }, version: last.version } : null;
    /** By look. @type {Place[][]} */
    this.places = [];
  }

  /** Where the match may have got since the look before. @param {number} number */
  reached(number) {
    if (number === 0) return this.all;
    const passed = this.told[number].version - this.told[number - 1].version;
    const found = new Set(this.places[number - 1].flatMap((before) => {
      const first = 2 * before.at; // each state has two places
      return this.all.slice(first, first + 2 * (passed + 1)).filter((place) => reaches(before, place, passed));
    }));
    return [...found];
  }

  /** Where a look may be, as far as versions say. @param {number} number @returns {Place[]} */
  likely(number) {
    const { version } = this.told[number], { end } = this;
    return this.reached(number).filter((place) => !end || reaches(place, end.place, end.version - version));
  }

  /** @param {number} number @param {boolean} aside whether to look for moves that were taken back */
  find(number, aside) {
    const told = this.told[number], likely = this.likely(number);
    const fits = (/** @type {Place} */ place) => this.course.fits(told, place);
    const along = likely.filter((place) => !place.off && fits(place));
    // The first look may be anywhere: then only what it may be mistaken for is worth the time.
    const open = (/** @type {Place} */ place) =>
      number > 0 || !along.length || along.some(({ at }) => at === place.at + 1);
    this.places[number] = aside ? [...along, ...likely.filter((place) => place.off && open(place) && fits(place))] : along;
    return this.places[number].length > 0;
  }

  /** Whether the looks up to this one fit together, if some of the last ones show moves that were taken back. @param {number} number */
  findAside(number) {
    for (let window = 1; window <= LOOKING_BACK; window *= 2) {
      let one = Math.max(0, number + 1 - window);
      while (one < number && this.find(one, true)) one += 1;
      if (one === number && this.find(number, true)) return true;
    }
    return false;
  }
}

/** Whether a look shows nothing that the one before did not. @param {Look} look @param {Look | undefined} before */
const isRepeated = ({ version, view, events }, before) =>
  before !== undefined && !events && version === before.version && same(view, before.view);

/** What the seat was shown, look by look. @param {Course} course @param {Look[]} shown @returns {(number | null)[]} after how many moves each was */
function compare(course, shown) {
  const tracking = new Tracking(course, shown);
  shown.forEach((look, number) => {
    if (!tracking.find(number, false) && !tracking.findAside(number)) {
      throw unlike(course, look, tracking.likely(number));
    }
  });
  return tracking.places.map(([first]) => (first && !first.off ? first.at : null));
}

/** What is other than it should be, at the likeliest place. @param {Course} course @param {Look} look @param {Place[]} likely */
function unlike({ states }, look, likely) {
  const near = likely.map(({ at }) => states[at])
    .map(({ view, events }) => ({ view: JSON.parse(view), events: JSON.parse(events) }))
    .map((state) => ({ state, keys: differences(state.view, look.view) }))
    .sort((a, b) => a.keys.length - b.keys.length)[0];
  const { version } = look;
  if (!near) return new Mismatch('verify.order', { version });
  const { state: { view, events }, keys: [key] } = near;
  if (key === undefined) return new Mismatch('verify.events', { version, told: look.events, found: events });
  return new Mismatch('verify.view', { version, key, told: look.view[key], found: view[key] });
}

/** @param {unknown} value @returns {value is {size: number, cards: string[]}} */
const isZone = (value) => typeof value === 'object' && value !== null && 'cards' in value && Array.isArray(value.cards);

/** Where cards lie, as a view shows it. @param {Engine} engine @param {View} view @returns {Zone[]} */
function zonesOf({ facts }, view) {
  /** @type {Zone[]} */
  const zones = [];
  for (const [place, value] of Object.entries(view)) {
    if (facts.keys[place]?.derived) continue;
    if (isZone(value)) zones.push({ place, seat: null, cards: value.cards });
    else if (Array.isArray(value) && value.every(isZone)) {
      value.forEach(({ cards }, seat) => zones.push({ place, seat, cards }));
    }
  }
  return zones.filter(({ cards }) => cards.length);
}

/** How many cards views showed. @param {Engine} engine @param {Look[]} shown */
const cardsIn = (engine, shown) => shown.flatMap(({ view }) => zonesOf(engine, view))
  .reduce((sum, { cards }) => sum + cards.filter((card) => card !== '?' && card !== '-').length, 0);

/**
 * Each round as it was dealt, and what the seat was shown of it.
 * @param {Course} course
 * @param {Look[]} shown
 * @param {(number | null)[]} places
 */
function dealsOf({ states }, shown, places) {
  return states.flatMap(({ match }, at) => {
    if (at && states[at - 1].match.round === match.round) return [];
    const { engine } = match, look = shown[places.indexOf(at)];
    const open = JSON.parse(engine.view(match.bytes, -1));
    return [{ round: match.round, dealt: zonesOf(engine, open), told: look ? zonesOf(engine, look.view) : null }];
  });
}

/**
 * What the checks are about, in the order in which they are made.
 * @type {('commitment' | 'seeds' | 'key' | 'moves' | 'end' | 'shown')[]}
 */
const CHECKS = ['commitment', 'seeds', 'key', 'moves', 'end', 'shown'];

/**
 * @param {Engine} engine
 * @param {object} told
 * @param {string} told.file the match file, as the server gave it
 * @param {string} told.commitment as it was shown before the first card
 * @param {(string | null)[]} told.seeds as they were shown, by seat
 * @param {number | null} told.seat null for a spectator
 * @param {Look[]} told.shown what the seat was shown and told, in order
 * @returns {Verdict}
 */
export function verify(engine, { file, commitment, seeds, seat, shown }) {
  /** @type {Verdict['checks']} */
  const checks = [];
  const passed = () => checks.push({ code: CHECKS[checks.length], ok: true });
  const compared = { views: 0, cards: 0, events: 0 };
  try {
    const content = read(file);
    if (!content.shuffle) throw new BadFile('file.unshuffled');
    const { shuffle } = content;
    if (commitmentOf(shuffle.secret) !== commitment) throw new Mismatch('verify.commitment', { told: commitment });
    passed();
    if (!same(shuffle.seeds, seeds)) throw new Mismatch('verify.seeds', { told: seeds, found: shuffle.seeds });
    passed();
    checkShuffle(content);
    passed();
    const course = new Course(engine, content, seat);
    passed();
    if (!course.end.over) throw new Mismatch('verify.unfinished');
    passed();
    const looks = shown.filter((look, number) => !isRepeated(look, shown[number - 1]));
    const places = compare(course, looks);
    passed();
    compared.views = shown.length;
    compared.cards = cardsIn(engine, shown);
    compared.events = shown.reduce((sum, { events }) => sum + (events?.length ?? 0), 0);
    return { ok: true, problem: null, checks, compared, deals: dealsOf(course, looks, places) };
  } catch (problem) {
    const found = problem instanceof Mismatch ? problem.problem
      : problem instanceof BadFile ? { code: problem.code, ...problem.values } : null;
    if (!found) throw problem;
    checks.push({ code: CHECKS[checks.length], ok: false });
    return { ok: false, problem: found, checks, compared, deals: [] };
  }
}
