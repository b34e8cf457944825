import type { Happening as AnyHappening, View as AnyView, Zone } from '../../../web/types';

/** What Sixth Sense adds to a view. */
export interface View extends AnyView {
  options: { beginner: boolean; target: number | null; late_trump: boolean; opener: number | null };
  /** A colour, or "-". */
  trump: string;
  /** The colour led, or "-". */
  asked: string;
  /** The card that each seat predicts with: "-" for none yet, "?" where it is hidden. */
  predictions: string[];
  /** What each seat has predicted: "4", "6/9", "-" or "?". */
  aims: string[];
  /** The cards of the trick, each with its seat: "0 r5"; ">2" says whose card it blocks. */
  trick: string[];
  /** The seat that would win the trick, or "-". */
  winning: number | '-';
  /** Whether the lowest card wins. */
  reversed: boolean;
  /** The seats whose cards may be blocked. */
  blockable: number[];
  /** Whether the winner may count the trick twice. */
  double: boolean;
  leader: number;
  tricks: number[];
  stock: Zone;
  seen: string[];
  void: string[];
  rounds: number;
}

/** What Sixth Sense adds to an event. */
export interface Happening extends AnyHappening {
  round: number;
  colour: string;
  /** The blocked card. */
  covered: string;
  whom: number;
  aim: string;
  tricks: number;
  what: string;
  count: number;
  points: number;
}
