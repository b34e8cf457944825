import type { Happening as AnyHappening, View as AnyView, Zone } from '../../../web/types';

/** What Chi-Chi-Ko adds to a view. */
export interface View extends AnyView {
  options: {
    rounds: number; hand: number | null; out_of_turn: boolean; blitz: boolean; phone: boolean; sausage: boolean;
    open: boolean; faces: boolean; apocalypse: boolean; opener: number | null;
  };
  direction: 'cw' | 'ccw';
  /** What each end shows, separated by blanks; "-" is a closed one. */
  ends: string;
  /** The tiles of each line, if there are several. */
  lengths: number[];
  /** The chain in the order in which it was laid: "ys-rk@1". */
  laid: string[];
  /** The ends at which a tile may be put now. */
  free: number[];
  /** What fits each end. */
  accepts: string[];
  /** What has to be put now, or "-". */
  wanted: string;
  /** What each hand would count. */
  points: (number | '?')[];
  bazaar: Zone;
  left_out: number;
  /** Whether tiles may be put out of turn now. */
  interruptible: boolean;
  used: number[];
  begun: boolean;
  /** The turns that each seat must still miss. */
  missing: number[];
  owes_face: number | '-';
}

/** What Chi-Chi-Ko adds to an event. */
export interface Happening extends AnyHappening {
  round: number;
  /** "@1" */
  end: string;
  side: 'left' | 'right';
  /** How many turns are missed. */
  turns: number;
  direction: 'cw' | 'ccw';
  what: string;
  count: number;
  points: number;
}
