import type { Happening as AnyHappening, View as AnyView, Zone } from '../../../web/types';

/** What Eight and a Half adds to a view. */
export interface View extends AnyView {
  options: { rounds: number; opener: number | null };
  pot: Zone;
  /** The pot's: "3.5", or "-" for an empty pot. */
  value: string;
  /** The cards that are legal on the pot, separated by blanks. */
  fits: string;
  /** Whether this is the round's first pot. */
  first: boolean;
  /** Whether whoever is on turn must go down. */
  down: boolean;
  /** Which number is the policeman, or "-". */
  policeman: string;
  /** From where each seat plays. */
  places: ('hand' | 'open' | 'blind' | '-')[];
  last: number | '-';
  /** Three places for each seat; "-" is an empty one. */
  open: Zone[];
  blind: Zone[];
  banks: Zone[];
  burned: Zone[];
  /** How many cards each seat still has. */
  counts: number[];
  /** The seats that have nothing but cards on the table. */
  table: number[];
  /** The winner and the big loser, while they exchange. */
  swap: [number, number] | '-';
}

/** What Eight and a Half adds to an event. */
export interface Happening extends AnyHappening {
  round: number;
  value: string;
  mine: string;
  theirs: string;
  what: string;
  count: number;
  cards: number;
  points: number;
}
