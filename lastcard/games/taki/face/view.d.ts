import type { Happening as AnyHappening, View as AnyView, Zone } from '../../../web/types';

/** What TAKI adds to a view. */
export interface View extends AnyView {
  options: { rounds: number; must_play: boolean; crazy_all: boolean; announce: string; opener: number | null };
  /** The leading card. */
  top: string;
  /** The colour that was named for it, or "-". */
  colour: string;
  /** The cards that may be played, separated by blanks. */
  fits: string;
  direction: 'cw' | 'ccw';
  /** Cards owed to a chain of 2+. */
  debt: number;
  /** The colour of an open TAKI, or "-". */
  open: string;
  /** Whether somebody is inside a run. */
  run: boolean;
  /** Whether this is the extra turn after a plus. */
  plus: boolean;
  /** The seat that is asked about a +3, or "-". */
  asked: number | '-';
  stock: Zone;
  pile: Zone;
  /** The seats that have called their last card. */
  called: number[];
  /** The seat that must still call, or "-". */
  exposed: number | '-';
}

/** What TAKI adds to an event. */
export interface Happening extends AnyHappening {
  round: number;
  colour: string;
  direction: 'cw' | 'ccw';
  /** How many cards were received. */
  size: number;
  plus: string;
  three: string;
  what: string;
  count: number;
  points: number;
}
