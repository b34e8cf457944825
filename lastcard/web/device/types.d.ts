// What the modules of this folder are made from and hand on to each other.

import type { Clash, OptionValue } from '../types';

/** An option as engine.json lists it; `stored` is how the record keeps its default. */
export interface OptionFacts {
  name: string;
  kind: 'flag' | 'number' | 'limit' | 'choice' | 'seat';
  default: OptionValue;
  low: number;
  high: number;
  stored: number;
  choices?: string[];
}

export interface Field {
  offset: number;
  type: string;
  shape: number[];
}

export interface Layout {
  size: number;
  fields: Record<string, Field>;
}

/** The content of engine.json, as far as it is needed here: docs/engine.md. */
export interface Facts {
  game: string;
  title: string;
  players: [number, number];
  /** The number of the seat that rolls dice. */
  chance: number;
  dimensions: { options: number; most_legal: number; actions: number; log_columns: number };
  layouts: { record: Layout; deal: Layout; node: Layout; text: Layout };
  options: OptionFacts[];
  clashes: Clash[];
  /** The bot that plays at each level. */
  levels?: Record<string, string>;
  /** Whether a network was trained for it. */
  learned?: boolean;
  /** Whether it tells how likely worlds are, too. */
  belief?: boolean;
  /** The most players with whom search plays by a tree. */
  tree_up_to: number;
  actions: string[];
  /** What views and positions have, by name. */
  keys: Record<string, { derived: boolean }>;
  events: { kind: string; values: Record<string, string[] | null>; secret: string[] }[];
}

/** A seat, or the dice. */
export type Seat = number | 'chance';
export type Move = [Seat, string];

/** One number, not 0, that the engine changes: the state of a small generator. */
export type Rng = BigUint64Array;

/** Everything that an action caused: row 0 begins with the number of rows after it. */
export type Log = Int32Array;

/** How likely a self-taught bot would take an action; -1 is to do nothing. */
export interface Opinion {
  action: number;
  liking: number;
}

/** What search thinks of an action; -1 is to do nothing. */
export interface Judgement {
  action: number;
  /** To win the match. */
  chance: number;
  /** The chance's standard error. */
  error: number;
  /** In how many worlds the action was tried. */
  worlds: number;
}

/** What the key of a match was made from. */
export interface Shuffle {
  commitment: string;
  secret: string;
  seeds: (string | null)[];
}

/** The content of a match file: docs/positions.md. */
export interface MatchFile {
  lastcard: number;
  game: string;
  players: number;
  options: Record<string, OptionValue>;
  key: string;
  moves: Move[];
  position?: Record<string, unknown> | null;
  seats?: string[] | null;
  state?: string | null;
  shuffle?: Shuffle | null;
}

/** What a seat was shown and told at one moment of a live match. */
export interface Look {
  version: number;
  kind: 'match' | 'update' | 'undone';
  /** The whole view, after the changes of an update. */
  view: Record<string, unknown>;
  /** Of an update. */
  events?: unknown[];
}

/** Cards in one place, from the bottom to the top. */
export interface Zone {
  place: string;
  /** null where it belongs to nobody. */
  seat: number | null;
  cards: string[];
}

export interface Verdict {
  ok: boolean;
  /** What does not fit, for the page to word; null if all is well. */
  problem: { code: string; [value: string]: unknown } | null;
  /** In the order in which they were made; only the last can have failed. */
  checks: { code: 'commitment' | 'seeds' | 'key' | 'moves' | 'end' | 'shown'; ok: boolean }[];
  compared: { views: number; cards: number; events: number };
  /** Each round as it was dealt, all cards open, and what the seat was shown of it (null: nothing). */
  deals: { round: number; dealt: Zone[]; told: Zone[] | null }[];
}
