// How long things take at a table, in seconds.

/** @typedef {typeof TIMES} Times */

export const TIMES = {
  pace: 0.8, // before a bot moves, so that people can follow
  patience: 2.0, // the same, where people may want to act out of turn or to undo
  hurry: 0.2, // the same, when every person is just waiting
  others: 3.0, // before a tab takes over another one's turn
  heartbeat: 5.0, // between messages to other tabs about who is connected here
  silence: 16.0, // without a heartbeat before a tab counts as closed
  linger: 60.0, // before an idle table leaves memory
};
