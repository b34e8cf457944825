// What a game shows on the page: every folder of games/ has a game.js whose default export is a Face.

/** What the server sent of a match, for one seat: docs/positions.md. */
export type View = Record<string, any>;
/** What happened: `kind`, `seat` and the event's own values; secrets of others are "?". */
export type Happening = { kind: string; seat: number } & Record<string, any>;

/** Who sits where, for sentences and labels. */
export interface Seating {
  /** One's own seat, or null for somebody who watches. */
  seat: number | null;
  /** The names of all seats, and how they are spoken of: for a sentence they are put together by `named`. */
  names: string[];
  pronouns: ('he' | 'she' | null)[];
  /** The seat at the bottom of the screen: one's own, or the first. */
  bottom: number;
}

/** Something that may be done now: one of the view's legal actions, and where it is offered. */
export interface Offer {
  /** The name of the action, exactly as in view.legal. */
  action: string;
  /** The place to tap for it: "hand:CARD", a place of the middle such as "stock", or "" for a button. */
  on: string;
  /** Where a card may be dropped for it; left out, anywhere on the middle will do. */
  to?: string;
  /** Words for a button or a choice, such as "Draw a card" or "Red". */
  label: string;
  /** A small picture for the choice, such as a colour's sign. */
  picture?: () => SVGElement;
  /** In a sentence what it means and what it costs, for who asks before taking it. */
  about?: string;
  /** big: the one thing that must not be missed ("Last card!"); quiet: rarely wanted. */
  weight?: 'big' | 'quiet';
}

/** A card that travels: places are values of data-place, before and after the change. */
export interface Flight {
  from: string;
  to: string;
}

export type Sound =
  | 'card' | 'draw' | 'deal' | 'sweep' | 'knock' | 'dice' | 'turn' | 'attack' | 'rise' | 'count' | 'reaction' | 'win' | 'lose';

/** A line of how somebody's points came about in a round. */
export interface Count {
  /** The cards that it is about, to be shown small beside the words. */
  cards: string[];
  /** In words, such as "6, 6, 6 count once". */
  text: string;
  /** What it adds to the points of the round; null for what only explains. */
  points: number | null;
}

export interface Face {
  id: string;
  /** Whether it is played with tiles: the shell then does not speak of cards. */
  tiles?: true;
  /** Width and height of a card or tile; drawings have the viewBox "0 0 WIDTH HEIGHT". */
  size: [number, number];
  card(name: string): SVGElement;
  back(): SVGElement;
  /** In words, in the language that is spoken: "the egg", "red 5". */
  cardName(name: string): string;
  /**
   * What a card does and what it counts, in a sentence. Whatever else lies on the table tells about itself by
   * the attributes of `about` (lib/about.js): every place, badge and sign has them, or lies in what has them.
   */
  about(name: string, view: View, at: Seating): string;
  /** Whether many points are good, and when the match ends. */
  aboutScore(view: View): string;
  /** Why cards of another hand are known, if there is a reason. */
  aboutHand?(view: View, seat: number, at: Seating): string;
  /** What lies in the middle of the table. */
  middle(view: View, at: Seating): Element;
  /** What a seat's plate shows beside name, cards and score. Also for the seat at the bottom. */
  plate(view: View, seat: number, at: Seating): Element[];
  /** What lies before the seat at the bottom, between the middle and its hand. */
  own?(view: View, at: Seating): Element[];
  /** Every legal action of the view, once. */
  offers(view: View, at: Seating): Offer[];
  /** One line: what is expected of the seat now, if it has something to do. */
  expects(view: View, at: Seating): string;
  /** Why a card of the hand cannot be played now, in a sentence. */
  whyNot(view: View, card: string, at: Seating): string;
  /**
   * A line of the log, or null for what needs no words. Where the same sentence is said several times in a
   * row, it is asked for once more with how often: "Leo draws 2".
   */
  say(event: Happening, at: Seating, times?: number): string | null;
  /** What travels; `view` is the one after the move. */
  flights(event: Happening, view: View, at: Seating): Flight[];
  sound(event: Happening): Sound | null;
  /**
   * How the points of a seat came about in the round that ended with these events; `before` is the view before
   * them. Their sum is what the seat's score has changed by.
   */
  counts(events: Happening[], seat: number, before: View): Count[];
}

/**
 * What a game's module may export beside its Face:
 * - toast(event): an element that is shown over the middle for a moment, or null;
 * - meanwhile(before, events): a view to be shown for a moment before the one after the move, such as a
 *   full trick, or null;
 * - paced(view): whether one turn may be many moves; then they are shown one at a time, however many wait;
 * - ended(before, events): the table as the round ended, before the next was dealt: a view, put together from
 *   the one before the last move and the events since then (those from the next `dealt` on do not count), in
 *   which nobody is waited for; null if no round has ended. It knows no rules, and is in ended.js, which needs
 *   no browser, so that it can be compared with the rules;
 * - beats(): what the button .who-beats of its middle opens;
 * - shakes(event): whether the middle shakes, as when somebody is hit by a +2;
 * - out(view, seat): whether the seat has nothing more to do in this round: then bots hurry.
 */

/** A part of a rules page. The three languages have the same parts in the same order. */
export type RulesPart =
  | { title: string }
  | { text: string }
  | { list: string[] }
  /** One of the functions of pictures.js. */
  | { picture: string; caption: string }
  /** One of the game's examples/NAME.yaml, to be played: what to do, and what it shows. */
  | { example: string; task: string; shows: string };

export type Rules = RulesPart[];
