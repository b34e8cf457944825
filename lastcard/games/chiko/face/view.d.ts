import type { Happening as AnyHappening, View as AnyView, Zone } from '../../../web/types';

/** What Chiko adds to a view. */
export interface View extends AnyView {
  options: { target: number; opener: number | null };
  top: string;
  /** The cards that may be put on the pile, separated by blanks. */
  fits: string;
  /** What each hand would count now. */
  points: (number | '?')[];
  stock: Zone;
  /** The seats that have stopped. */
  quit: number[];
  last: number | '-';
  /** The cards on the pile and out of the round, separated by blanks. */
  gone: string;
}

/** What Chiko adds to an event. */
export interface Happening extends AnyHappening {
  round: number;
  /** Of an egg: what it counts as. */
  value: string;
  /** The dice. */
  a: number;
  b: number;
  what: string;
  count: number;
  points: number;
}
