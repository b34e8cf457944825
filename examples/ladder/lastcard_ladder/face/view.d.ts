import type { Happening as AnyHappening, View as AnyView, Zone } from '../../../web/types';

/** What Ladder adds to a view. */
export interface View extends AnyView {
  options: { rounds: number; opener: number | null };
  top: string;
  /** The cards that may be played, separated by blanks. */
  fits: string;
  stock: Zone;
}

/** What Ladder adds to an event. */
export interface Happening extends AnyHappening {
  round: number;
  count: number;
  points: number;
}
