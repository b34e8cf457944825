// A card game of boardgame.io at its own server: node server.cjs PORT
// Matches are kept in memory, as they are unless somebody says otherwise: nothing is on disk.
'use strict';

const { PlayerView } = require('boardgame.io/core');
const { Server } = require('boardgame.io/server');

const HAND = 8;
const RANKS = 6;

// About as much as a match of Chiko: eight cards each, and one move is one card played or drawn.
const setup = ({ random }) => {
  const stock = random.Shuffle(Array.from({ length: 56 }, (_, n) => 1 + (n % RANKS)));
  const players = { 0: { hand: stock.splice(0, HAND) }, 1: { hand: stock.splice(0, HAND) } };
  return { top: stock.pop(), sizes: [HAND, HAND], left: stock.length, secret: { stock }, players };
};

const fits = (top, card) => card === top || card === (top % RANKS) + 1;

const moves = {
  play: {
    client: false,
    move: ({ G, playerID }, card) => {
      const { hand } = G.players[playerID];
      const at = hand.indexOf(card);
      if (at < 0 || !fits(G.top, card)) return 'INVALID_MOVE';
      hand.splice(at, 1);
      G.top = card;
      G.sizes[playerID] -= 1;
      return undefined;
    },
  },
  draw: {
    client: false,
    move: ({ G, playerID }) => {
      G.players[playerID].hand.push(G.secret.stock.pop());
      G.sizes[playerID] += 1;
      G.left -= 1;
    },
  },
};

const game = {
  name: 'cards',
  setup,
  moves,
  playerView: PlayerView.STRIP_SECRETS,
  disableUndo: true,
  turn: { minMoves: 1, maxMoves: 1 },
  endIf: ({ G }) => (G.sizes.includes(0) || G.left === 0 ? { sizes: [...G.sizes] } : undefined),
};

// `origins` is for pages of other hosts, of which there are none.
Server({ games: [game], origins: [] }).run({ port: Number(process.argv[2]) });
