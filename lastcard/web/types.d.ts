// What the server sends, and what a game's face gives to the page.

// --- From the server: docs/protocol.md, docs/positions.md ---

export type Pronoun = 'he' | 'she' | null;
export type OptionValue = string | number | boolean | null;

/** A game, as in the list of games. */
export interface GameInfo {
  id: string;
  title: string;
  tagline: string;
  /** The fewest and the most. */
  players: [number, number];
  /** How long a match takes three players, roughly. */
  minutes: number | null;
  lowest_wins: boolean;
  options: Option[];
  clashes: Clash[];
  /** Of bots that play it. */
  levels: string[];
  /** Whether the page can show it. */
  face: boolean;
  /** Whether it can be played on the device: its engine is there. */
  engine: boolean;
}

export interface Option {
  name: string;
  kind: 'flag' | 'number' | 'limit' | 'choice' | 'seat';
  default: OptionValue;
  help: string;
  low?: number;
  high?: number;
  choices?: string[];
}

/** Refused when every option is as it says: equal to a value, or above a number. */
export interface Clash {
  /** The numbers of players that it is about; null for any. */
  players: number[] | null;
  when: Record<string, OptionValue | { above: number }>;
}

/** The answer to `GET /api/games`. */
export interface Offered {
  /** How others come to a live table; null where there are none, on a site without a server. */
  invite: { base: string; others: boolean } | null;
  /** Where there are live tables, if a site without a server was told. */
  live?: string;
  version: string;
  games: GameInfo[];
  levels: string[];
  reactions: string[];
}

export interface Chair {
  kind: 'free' | 'person' | 'bot';
  name: string;
  level: string | null;
  here: boolean;
  left: boolean;
  seed: string | null;
  pronoun: Pronoun;
}

/** Everything about a table but its cards. */
export interface Table {
  id: string;
  game: string;
  players: number;
  options: Record<string, OptionValue>;
  public: boolean;
  watch: boolean;
  clock: number | null;
  grace: number | null;
  undo: boolean;
  /** "past" is the page's own: a table in a replay. */
  status: 'open' | 'playing' | 'paused' | 'over' | 'past';
  seats: Chair[];
  number: number;
  /** "" if the match came from a file that does not say where the cards came from. */
  commitment: string;
  next_commitment: string | null;
  secret: string | null;
  key: string | null;
  agreed: number[];
  seconds: number | null;
  watching: number;
}

/** What a board shows of the table around it. */
export type Surroundings = Pick<Table, 'seats' | 'status' | 'clock'>;

/** The answer to opening a table, or taking a seat at one. */
export interface Seated {
  table: string;
  seat: number;
  token: string;
  link: string;
  own_link: string;
}

/** A table in the list of open tables. */
export interface TableSummary {
  id: string;
  game: string;
  players: number;
  status: string;
  names: string[];
  free: number;
  clock: number | null;
  watch: boolean;
}

/** A table in the list of those on this device. */
export interface KeptTable {
  id: string;
  game: string;
  players: number;
  status: Table['status'];
  /** Of people. */
  names: string[];
  /** How many matches have begun, and how many of them are over. */
  matches: number;
  over: number;
  /** When it last changed, in milliseconds. */
  at: number;
  /** Whether its first match came from a file. */
  imported: boolean;
  /** By seat. */
  tokens: Record<string, string>;
}

/** Cards in one place: how many there are, and those that the seat knows. */
export interface Zone {
  size: number;
  cards: string[];
}

/** A match as one seat may see it; each game adds keys of its own (its face/view.d.ts). */
export interface View {
  game: string;
  players: number;
  /** null for a spectator. */
  seat: number | null;
  options: Record<string, OptionValue>;
  waiting: (number | 'chance')[];
  legal: string[];
  over: boolean;
  winners: number[];
  opener: number;
  round: number;
  turn: number;
  hands: Zone[];
  scores: number[];
}

/**
 * An event. All but kind and seat depend on its kind: whoever reads a value knows that the kind has it. What the
 * seat may not know is "?". Each game adds values of its own.
 */
export interface Happening {
  kind: string;
  seat: number;
  card: string;
  /** The new total, of `scored`. */
  score: number;
}

export interface Match {
  number: number;
  version: number;
  undo: boolean;
  view: View;
}

/** What a move led to, in an example. */
export interface PlayedStep {
  events: Happening[];
  view: View;
}

/** The answer to the moves in an example. */
export interface Played {
  seat: number;
  steps: PlayedStep[];
  over: boolean;
  meant: boolean;
}

/** One step of a replay. */
export interface Step extends PlayedStep {
  version: number;
  seat: number | 'chance' | null;
  by: 'player' | 'bot' | 'clock' | 'chance' | null;
}

/** `text` is in English; the page words the code itself. "offline" is the page's own. */
export interface Refusal {
  type: 'error';
  id: string | null;
  code: string;
  text: string;
}

export interface Hint {
  type: 'hint';
  id: string | null;
  version: number;
  /** With the liking of a self-taught bot; null if there is none for the game. */
  best: { action: string | null; chance: number; liking: number | null }[];
  /** What a self-taught bot would do; null if there is none for the game. */
  learned: { action: string | null; liking: number } | null;
}

export type Answer = { type: 'ok'; id: string | null; version?: number | null } | Refusal | Hint;

export interface Welcome {
  type: 'welcome';
  seat: number | null;
  table: Table;
  match: Match | null;
}

export interface Update {
  type: 'update';
  version: number;
  seat: number | 'chance';
  by: 'player' | 'bot' | 'clock' | 'chance';
  events: Happening[];
  changes: Partial<View>;
  undo: boolean;
  seconds: number | null;
}

export type Message =
  | Answer
  | Welcome
  | Update
  | { type: 'table'; table: Table }
  | { type: 'match'; match: Match }
  | { type: 'undone'; seat: number }
  | { type: 'reaction'; seat: number; reaction: string };

// --- What the page has seen of a live match, to be checked after it ---

/** What a table has promised of a match's shuffle. */
export interface Promised {
  match: number;
  commitment: string;
  seeds: (string | null)[];
  /** Whether the commitment was shown before any card. */
  early: boolean;
  begun: boolean;
  /** The commitment of the next match, once it is known. */
  next: string | null;
}

/** One thing that was shown, as it is kept: a whole view, or what a move changed. */
export interface Shown {
  version: number;
  view?: View;
  changes?: Partial<View>;
  events?: Happening[];
}

/** What a seat was shown and told at one moment. */
export interface Look {
  version: number;
  kind: 'match' | 'update';
  view: View;
  events?: Happening[];
}

/** All that a seat was promised and shown of a match. */
export interface Testimony {
  commitment: string;
  seeds: (string | null)[];
  early: boolean;
  seat: number;
  shown: Look[];
}

// --- A game's face: games/GAME/face/, docs/page.md ---

/** Who sits where, for sentences and labels. */
export interface Seating {
  /** One's own seat, or null for a spectator. */
  seat: number | null;
  /** The names and pronouns of all seats; `named` makes them fit for a sentence. */
  names: string[];
  pronouns: Pronoun[];
  /** The seat at the bottom of the screen: one's own, or the first. */
  bottom: number;
}

/** One of the legal actions, and how it is offered. */
export interface Offer {
  /** Exactly as in view.legal. */
  action: string;
  /** The place to tap: "hand:CARD", a place in the middle such as "stock", or "" for a button. */
  on: string;
  /** Where the card goes: a place to drop it, or "hand" if it is drawn; anywhere on the middle if left out. */
  to?: string;
  /** For a button or a choice, such as "Draw a card" or "Red". */
  label: string;
  /** A small picture beside the label, such as a colour's sign. */
  picture?: () => SVGElement;
  /** What it means and what it costs, in a sentence. */
  about?: string;
  /** big: must not be missed ("Last card!"); quiet: rarely wanted. */
  weight?: 'big' | 'quiet' | undefined;
}

/** A moving card: two values of data-place, one before and one after the change. */
export interface Flight {
  from: string;
  to: string;
}

export type Sound =
  | 'card' | 'draw' | 'deal' | 'sweep' | 'knock' | 'dice' | 'turn' | 'attack' | 'rise' | 'count' | 'reaction' | 'win' | 'lose';

/** A line in the breakdown of a seat's points for a round. */
export interface Count {
  /** Cards to show beside the text. */
  cards: string[];
  /** Such as "6, 6, 6 count once". */
  text: string;
  /** What it adds to the round's points; null if it only explains. */
  points: number | null;
}

/** The default export of game.js: V is the game's view, E its events. */
export interface Face<V extends View = View, E extends Happening = Happening> {
  id: string;
  /** Set if the game is played with tiles, so that the page does not speak of cards. */
  tiles?: true;
  /** Width and height of a card or tile; drawings have the viewBox "0 0 WIDTH HEIGHT". */
  size: [number, number];
  card(name: string): SVGElement;
  back(): SVGElement;
  /** In the reader's language: "the egg", "red 5". */
  cardName(name: string): string;
  /**
   * What a card does and what it counts, in a sentence. Everything else on the table explains itself by the
   * attributes of `about` (lib/about.js): every place, badge and sign has them, or is inside an element that does.
   */
  about(name: string, view: V, at: Seating): string;
  /** Whether high scores are good, and when the match ends. */
  aboutScore(view: V): string;
  /** Why cards in another hand are known, if any are. */
  aboutHand?(view: V, seat: number, at: Seating): string;
  /** The middle of the table. */
  middle(view: V, at: Seating): Element;
  /** What a seat's plate shows beside name, cards and score; also for the seat at the bottom. */
  plate(view: V, seat: number, at: Seating): Element[];
  /** What lies in front of the seat at the bottom, between the middle and its hand. */
  own?(view: V, at: Seating): Element[];
  /** Every legal action of the view, once. */
  offers(view: V, at: Seating): Offer[];
  /** One line: what the seat is expected to do now, or "". */
  expects(view: V, at: Seating): string;
  /** Why a card in the hand cannot be played now, in a sentence. */
  whyNot(view: V, card: string, at: Seating): string;
  /**
   * A line of the log, or null if the event needs none. If the same sentence comes several times in a row, it
   * is asked for again with how often: "Leo draws 2".
   */
  say(event: E, at: Seating, times?: number): string | null;
  /** What moves; `view` is the one after the event. */
  flights(event: E, view: V, at: Seating): Flight[];
  sound(event: E): Sound | null;
  /**
   * The breakdown of a seat's points for the round that ended with these events. The points add up to the change
   * in its score. `before` is the view before the events.
   */
  counts(events: E[], seat: number, before: V): Count[];
}

/** The module game.js. */
export interface GameModule<V extends View = View, E extends Happening = Happening> {
  default: Face<V, E>;
  /** An element to show over the middle for a moment. */
  toast?(event: E): Element | null;
  /** A view to show for a moment before the one after the move, such as a full trick. */
  meanwhile?(before: V, events: E[]): V | null;
  /** Whether one turn can be many moves, which are then shown one at a time, however many are queued. */
  paced?(view: V): boolean;
  /**
   * The table as the round ended, before the next deal: built from the view before the last move and the events
   * since, up to the next `dealt`; nobody is waited for. null if no round has ended. It knows no rules and needs
   * no browser (it lives in ended.js), so that tests can compare it with the rules.
   */
  ended?(before: V, events: E[]): V | null;
  /** Whether the middle shakes, as when a +2 hits somebody. */
  shakes?(event: E): boolean;
  /** Whether the seat has nothing more to do this round, so that bots may hurry. */
  out?(view: V, seat: number): boolean;
}

/** A part of a rules page. All languages have the same parts in the same order. */
export type RulesPart =
  | { title: string }
  | { text: string }
  | { list: string[] }
  /** A function in pictures.js. */
  | { picture: string; caption: string }
  /** examples/NAME.yaml, to be played: what to do, and what it shows. */
  | { example: string; task: string; shows: string };

export type Rules = RulesPart[];
