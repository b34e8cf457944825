// A board with its state: what is selected, what was refused, which move is on its way. Tables, replays and the
// examples of the rules all use it.

import { About } from '../lib/about.js';
import { h, morph } from '../lib/dom.js';
import { Flyer, moment, stir, travel } from '../lib/motion.js';
import { get } from '../lib/settings.js';
import { playSound } from '../lib/sound.js';
import { waitingSeats, waitsFor } from '../lib/views.js';
import { named, t } from '../lib/words.js';
import { board } from './board.js';
import { placeBubbles } from './bubbles.js';
import { placeChoices } from './choices.js';
import { drag } from './drag.js';
import { narration } from './narration.js';
import { counted, lines, winners } from './words.js';

// Milliseconds
const TOAST = 1500;
const COMPLAINT = 6000;
const INTERIM = 1100; // to look at a state within a move; a tap skips it
const NARRATION = 2000; // that a plate says what happened there
const NARRATION_PER_LETTER = 15; // on top of that

/**
 * The table around the match, as far as a stage needs to know it.
 * @typedef {object} Around
 * @property {import('../types').Surroundings} table
 * @property {import('../types').Seating} at
 * @property {number} version
 * @property {number | null} seconds
 * @property {boolean} live whether the player can act
 * @property {{all: string[], send: (reaction: string) => void} | null} [react] what players may say to each other
 */

export class Stage {
  /**
   * @param {HTMLElement} root
   * @param {import('../types').GameModule} module
   * @param {(action: string) => unknown} move sends an action; returns false if it cannot be sent now
   */
  constructor(root, module, move) {
    this.root = root;
    this.module = module;
    this.face = module.default;
    this._move = move;
    /** @type {import('../types').View | null} */
    this.view = null;
    /** @type {Around | null} */
    this.around = null;
    /** @type {string | null} */
    this.chosen = null;
    /** @type {string | null} */
    this.hint = null;
    this.complaint = '';
    /** @type {(() => Element | null) | null} */
    this.toast = null;
    /** @type {Map<number, string>} */
    this.reactions = new Map(); // by seat, while they are shown
    /** @type {Map<number, string>} */
    this._narrated = new Map(); // what happened, by seat, while it is shown
    /** @type {Map<number, number>} */
    this._narrationTimers = new Map(); // by seat
    this.note = ''; // what has just happened, while nobody can act
    /** @type {{seat: number | null, places: string[]}} */
    this.last = { seat: null, places: [] }; // the last move
    /** @type {{offer: import('../types').Offer, flyer: Flyer | null} | null} */
    this.pending = null; // a move that the server has not answered yet
    /** @type {string | null} */
    this.advance = null; // the place of the card that is played when the turn comes
    this.twin = 0; // which of several equal cards was tapped last
    /** @type {() => void} */
    this.catchUp = () => {}; // shows at once whatever is waiting to be shown
    this.reacting = false; // whether the reaction picker is open
    this.about = new About(root);
    this.eager = false; // whether to take the focus as soon as there is something to do
    this._resized = () => this.draw();
    window.addEventListener('resize', this._resized);
    this._escape = (/** @type {KeyboardEvent} */ event) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open]')) this._chooseInAdvance(null);
    };
    document.addEventListener('keydown', this._escape);
  }

  close() {
    window.removeEventListener('resize', this._resized);
    document.removeEventListener('keydown', this._escape);
    clearTimeout(this._toastTimer);
    clearTimeout(this._complaintTimer);
    this.about.close();
    for (const timer of this._narrationTimers.values()) clearTimeout(timer);
    this.view = this.pending = this.advance = null;
    this.root.replaceChildren();
  }

  /**
   * @param {import('../types').View} view
   * @param {Around} around
   */
  show(view, around) {
    if (view !== this.view) {
      this.chosen = this.hint = null;
      this.complaint = '';
      this._settle();
    }
    if (view.round !== this.view?.round || view.over) this.advance = null;
    this.view = view;
    this.around = around;
    this.draw();
    if (this.advance !== null && around.live) this._playInAdvance(view, around, this.advance);
  }

  /**
   * Shows a view after events: with travelling cards, narration and sound.
   * @param {import('../types').View} view
   * @param {Around} around
   * @param {import('../types').Happening[]} events
   */
  async play(view, around, events) {
    for (const event of events) this._toast(event);
    const heard = events.map((event) => this.face.sound(event)).filter(Boolean);
    const alreadyHeard = this.pending?.flyer && heard.length === 1 && heard[0] === sounds(this.pending.offer); // at the tap
    if (!alreadyHeard) playSound(heard.at(-1) ?? null);
    this._narrate(events, around);
    let rest = events;
    // What a move completes, such as a trick, stays for a moment before it is gone.
    const between = this.view && this.module.meanwhile?.(this.view, events);
    if (between) {
      this.note = lines(this.face, events.slice(1), around.at).slice(0, 1).map(counted).join('');
      await this._fly(between, { ...around, live: false }, events.slice(0, 1));
      await moment(INTERIM);
      this.note = '';
      rest = events.slice(1);
    }
    if (rest.some((event) => this.module.shakes?.(event))) stir(this.root.querySelector('.middle'), 'shake');
    await this._fly(view, around, rest);
  }

  /**
   * @param {import('../types').View} view
   * @param {Around} around
   * @param {import('../types').Happening[]} events
   */
  async _fly(view, around, events) {
    const flights = events.flatMap((event) => this.face.flights(event, view, around.at));
    const { pending } = this;
    const aloft = new Map(pending?.flyer ? [[pending.offer.on, pending.flyer]] : []);
    const [first] = events;
    if (first) this.last = first.kind === 'dealt' ? { seat: null, places: [] } : { seat: first.seat, places: flights.map(({ to }) => to) };
    await travel(this.root, flights, () => {
      this._settle();
      this.show(view, around);
    }, aloft);
  }

  /** @param {import('../types').Happening[]} events @param {Around} around */
  _narrate(events, { at }) {
    for (const [seat, text] of narration(this.face, events, at)) {
      clearTimeout(this._narrationTimers.get(seat));
      this._narrated.delete(seat); // so that the newest comes last
      this._narrated.set(seat, text);
      this._narrationTimers.set(seat, window.setTimeout(() => {
        this._narrated.delete(seat);
        if (!this.reactions.has(seat)) this.root.querySelector(`[data-seat="${seat}"] .bubble`)?.remove();
        placeBubbles(this.root);
      }, NARRATION + NARRATION_PER_LETTER * text.length));
    }
  }

  /** @returns {import('../types').Offer[]} */
  get offers() {
    const { view, around } = this;
    return view && around?.live && !this.pending ? this.face.offers(view, around.at) : [];
  }

  /** Whether a card may be chosen before one's turn. */
  get mayAdvance() {
    const { view, around } = this;
    return get().advance && !!view && !!around?.live && around.at.seat !== null && !view.over && !this.pending && !this.inTurn;
  }

  /** Actions out of turn need a second tap. */
  get inTurn() {
    return waitsFor(this.view, this.around?.at.seat);
  }

  draw() {
    const { view, around } = this;
    if (!view || !around) return;
    const offers = this.offers;
    if (this.chosen !== null && !offers.some((offer) => offer.on === this.chosen)) this.chosen = null;
    const there = this.root.firstElementChild ?? this.root.appendChild(h('div', { class: 'board' })); // its size is needed to draw it
    const scene = {
      face: this.face, view, table: around.table, at: around.at, offers,
      chosen: this.chosen, hint: this.hint,
      line: this.complaint || this._line(view, around), warning: this.complaint !== '',
      version: around.version, seconds: around.seconds,
      thinking: new Set(around.table.status === 'past' ? [] : waitingSeats(view)),
      bubbles: new Map([...this._narrated, ...this.reactions]),
      moved: this.last.seat,
      twin: this.twin,
      gone: this.pending?.flyer ? this.pending.offer.on : null,
      advance: { possible: this.mayAdvance, place: this.advance },
      react: around.react ? this._reactionPicker(around.react) : null,
      room: room(there),
      act: {
        tap: (/** @type {string} */ place, /** @type {string | undefined} */ card, /** @type {number | undefined} */ twins) => {
          if (place !== this.advance) this.twin = twins ?? 0;
          this._tap(place, card);
        },
        accept: (/** @type {import('../types').Offer} */ offer) => this._accept(offer),
        grab: (/** @type {PointerEvent} */ event, /** @type {string} */ place, /** @type {string} */ card) =>
          drag(event, (where) => where !== null && this._drop(place, card, where)),
        dismiss: () => this._dismiss(),
      },
    };
    const wanted = board(scene);
    const middle = wanted.querySelector('.middle');
    if (this.toast) middle?.append(h('div', { class: 'toast', 'data-key': 'toast' }, this.toast()));
    for (const place of this.last.places) middle?.querySelector(`[data-place="${CSS.escape(place)}"]`)?.classList.add('last-move');
    const had = this.root.contains(document.activeElement);
    morph(there, wanted);
    placeChoices(this.root);
    placeBubbles(this.root);
    this.about.refresh();
    const resting = document.activeElement === this.root.firstElementChild && offers.length > 0;
    const first = this.eager && offers.length > 0 && document.activeElement === document.body;
    if (offers.length) this.eager = false;
    if (first || resting || (had && !this.root.contains(document.activeElement))) this._focus();
  }

  /** @param {{all: string[], send: (reaction: string) => void}} react */
  _reactionPicker({ all, send }) {
    /** @param {boolean} open */
    const set = (open) => {
      this.reacting = open;
      this.draw();
      /** @type {HTMLElement | null} */ (this.root.querySelector('.react > button'))?.focus();
    };
    return { all, open: this.reacting, toggle: () => set(!this.reacting), send: (/** @type {string} */ one) => {
      set(false);
      send(one);
    } };
  }

  /**
   * @param {import('../types').View} view
   * @param {Around} around
   */
  _line(view, { at, live, table }) {
    if (table.status === 'paused') return t('table.paused');
    if (view.over) return winners(view, at);
    if (this.pending) return '';
    if (this.note) return this.note;
    if (live && view.legal.length) return this.face.expects(view, at);
    if (view.waiting.includes('chance')) return t('table.dice');
    if (this.advance !== null) return t('advance.line', { card: this._nameOf(this.advance) });
    const seats = waitingSeats(view);
    return seats.length ? t('table.waiting', { names: named(at, ...seats), n: seats.length }) : '';
  }

  /** @param {string} place @param {string} [card] */
  _tap(place, card) {
    if (this.advance !== null && this.advance === place) {
      this._chooseInAdvance(null); // before anything else: if the turn has come meanwhile, it must not go
      return;
    }
    this.catchUp(); // a tap counts as soon as it is the player's turn, shown or not
    const { view, around } = this;
    if (!view || !around || this.pending) return;
    if (!around.live && card !== undefined) this.about.tell(place); // a tap does nothing else here
    if (!around.live) return;
    const offers = this.offers.filter((offer) => offer.on === place);
    const [only] = offers;
    if (offers.length === 1 && only && this.inTurn) {
      this._accept(only);
    } else if (offers.length) {
      this.complaint = '';
      this.chosen = this.chosen === place ? null : place;
      this.draw();
      if (this.chosen) /** @type {HTMLElement | null} */ (this.root.querySelector('.choice'))?.focus();
    } else if (card !== undefined && place.startsWith('hand:') && this.mayAdvance) {
      this._chooseInAdvance(place);
    } else if (card !== undefined) {
      this._complain(this._why(view, card, around));
    }
  }

  // --- Chosen in advance ---

  /** @param {string | null} place of a card in the hand; null takes the choice back */
  _chooseInAdvance(place) {
    if (this.advance === place) return;
    this.advance = place;
    this.complaint = '';
    this.draw();
  }

  /**
   * Plays the chosen card once it is one's turn, if the card can be played in exactly one way: nothing but the offers
   * decides that. If there are several ways, they are offered.
   * @param {import('../types').View} view
   * @param {Around} around
   * @param {string} place
   */
  _playInAdvance(view, around, place) {
    const card = place.slice('hand:'.length);
    const held = view.hands[around.at.bottom].cards.includes(card);
    if (held && !this.inTurn) return;
    this.advance = null;
    const offers = this.offers.filter((offer) => offer.on === place), [only] = offers;
    if (offers.length === 1 && only) this._accept(only);
    else if (offers.length) this._tap(place, card);
    else this._complain(t('advance.dropped', { card: this.face.cardName(card), why: held ? this.face.whyNot(view, card, around.at) : '' }).trim());
  }

  /** The table is not the one for which the card was chosen; whether there was one. */
  dropAdvance() {
    const had = this.advance !== null;
    this.advance = null;
    return had;
  }

  /** @param {string} place of a card in the hand */
  _nameOf(place) {
    return this.face.cardName(place.slice('hand:'.length));
  }

  /**
   * @param {import('../types').View} view
   * @param {string} card
   * @param {Around} around
   */
  _why(view, card, { at, table }) {
    if (table.status === 'paused') return t('table.paused');
    if (view.over) return t('table.ended');
    if (!waitsFor(view, at.seat)) return t('table.notYet', { waiting: this._line(view, /** @type {Around} */ (this.around)) });
    return this.face.whyNot(view, card, at);
  }

  /** @param {string} place @param {string} card @param {string} where */
  _drop(place, card, where) {
    const mine = this.offers.filter((offer) => offer.on === place);
    const there = mine.filter((offer) => offer.to === where);
    const chosen = there.length ? there : mine.filter((offer) => offer.to === undefined || where === 'middle');
    const [only] = chosen;
    if (chosen.length === 1 && only && this.inTurn) this._accept(only);
    else this._tap(place, card);
  }

  /** @param {import('../types').Offer} offer */
  _accept(offer) {
    if (this.pending) return;
    const flyer = this._leap(offer);
    this.chosen = this.hint = null;
    this.complaint = '';
    // Keyboard players continue from the board when it is their turn again.
    if (this.root.contains(document.activeElement)) /** @type {HTMLElement | null} */ (this.root.firstElementChild)?.focus({ preventScroll: true });
    this.pending = { offer, flyer };
    if (this._move(offer.action) === false) this._settle();
    this.draw();
  }

  /**
   * Sends the card off at the tap. Where exactly it lands, the next view says.
   * @param {import('../types').Offer} offer
   */
  _leap(offer) {
    const { at } = /** @type {Around} */ (this.around), drawn = offer.to === 'hand';
    /** @param {string} place */
    const there = (place) => this.root.querySelector(`[data-place="${CSS.escape(place)}"]`);
    if (!offer.on.startsWith('hand:') && !drawn) {
      stir(offer.on ? there(offer.on) : this.root.querySelector(`[data-action="${CSS.escape(offer.action)}"]`), 'pulse');
      return null;
    }
    const cards = this.root.querySelectorAll(`[data-place="${CSS.escape(offer.on)}"]`), card = cards[this.twin] ?? cards[0];
    const target = drawn ? this.root.querySelector('.hand') : [offer.to === 'pile' ? 'top' : offer.to ?? '', 'top', 'pot', `spot:${at.seat}`].map(there).find(Boolean)
      ?? this.root.querySelector('.middle');
    if (!card || !target) return null;
    playSound(sounds(offer));
    return new Flyer(this.root, card, target);
  }

  /** The pending move has arrived or been dropped. */
  _settle() {
    this.pending?.flyer?.land();
    this.pending = null;
  }

  _dismiss() {
    const place = this.chosen;
    this.chosen = null;
    this.draw();
    if (place) /** @type {HTMLElement | null} */ (this.root.querySelector(`[data-place="${CSS.escape(place)}"]`))?.focus();
  }

  /** Says why something is not possible. @param {string} text */
  _complain(text) {
    this.chosen = null;
    this.complaint = text;
    playSound('knock');
    this.draw();
    clearTimeout(this._complaintTimer);
    this._complaintTimer = setTimeout(() => {
      this.complaint = '';
      this.draw();
    }, COMPLAINT);
  }

  /** A move was refused: its card comes back, and the board says why. @param {string} text */
  async complain(text) {
    const { pending } = this;
    await pending?.flyer?.goBack();
    if (this.pending === pending) this.pending = null;
    if (this.view) this._complain(text);
  }

  /** @param {import('../types').Happening} event */
  _toast(event) {
    const { toast } = this.module;
    if (!toast?.(event)) return;
    this.toast = () => toast(event);
    clearTimeout(this._toastTimer);
    this._toastTimer = setTimeout(() => {
      this.toast = null;
      this.draw();
    }, TOAST);
  }

  /** Picks the next element for keyboard players when the focused one is gone. */
  _focus() {
    for (const one of ['.choice', '.card.legal', 'button.own-card:not([aria-disabled])', '.offer', '.tappable', '.card', '.board']) {
      const next = /** @type {HTMLElement | null} */ (this.root.querySelector(one));
      if (next) {
        next.focus({ preventScroll: true });
        return;
      }
    }
  }
}

/** What is heard when a card is tapped. @param {import('../types').Offer} offer */
const sounds = (offer) => (offer.to === 'hand' ? 'draw' : 'card');

const IN_A_PAGE = 700; // pixels: the height of a board that scrolls with a page, such as an example

/** @param {Element} board @returns {import('./board.js').Room} */
function room(board) {
  const { width, height } = board.getBoundingClientRect();
  return { width, height: board.closest('.table-screen') ? height : IN_A_PAGE };
}
