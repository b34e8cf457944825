/** @type {import('../../../web/types').Rules} */
export default [
  { picture: 'cycle', caption: 'The same value again, or the next one along the ring.' },
  {
    text: 'Get rid of your cards, or stop in time: cards that stay in your hand cost points, and '
      + 'the **lowest score wins**. For 2 to 5 players.',
  },

  { title: 'The cards' },
  { picture: 'cards', caption: '50 cards: the numbers 1 to 6, the chicks and one surprise egg.' },
  {
    text: 'There are seven of each number, seven chicks and a single surprise egg. There are also '
      + 'two dice.',
  },

  { title: 'How a round begins' },
  {
    text: 'Everybody gets **six cards**. The rest is the stock, face down; its top card is turned '
      + 'up and starts the pile. If that is the egg, it goes back into the stock at a random '
      + 'place, and another card is turned up. The opener begins, then it goes clockwise. Who '
      + 'opens the first round is drawn by lot.',
  },

  { title: 'Your turn' },
  { picture: 'turn', caption: 'On your turn do exactly one of three things.' },
  {
    list: [
      '**Play** one card that fits on the pile.',
      '**Draw** one card. Your turn is over at once. You may draw even if you could play.',
      '**Stop**: lay your cards face down and sit out the rest of this round.',
    ],
  },

  { title: 'What fits' },
  { picture: 'fits', caption: 'On a 3 goes a 3 or a 4.' },
  {
    text: 'A card fits if it **equals** the top card or is exactly **one higher**. After 6 comes '
      + 'the chick. On a chick goes another chick or a 1, and the ring starts again.',
  },
  {
    example: 'step',
    task: 'The pile shows a 3. Which of your cards fit? Play one of them.',
    shows: 'Only the 3 and the 4 fit: the same value or the next one.',
  },

  { title: 'The surprise egg' },
  { picture: 'eggs', caption: 'On 4 it is a 5, on 6 a chick, on a chick a 1.' },
  {
    text: 'The egg may be played **on anything**. It then has the value that comes next in the '
      + 'ring.',
  },
  {
    example: 'egg',
    task: 'The pile shows a 6, and neither the 1 nor the 2 fits. Play the egg.',
    shows: 'On a 6 the egg counts as a chick. Next to come is a chick or a 1.',
  },

  { title: 'Stop in time' },
  { picture: 'asleep', caption: 'Whoever has stopped sleeps until the next round.' },
  {
    text: 'A hand with few points is a good reason to stop: nothing can be added to it any more. '
      + 'Your cards stay hidden and are counted when the round ends.',
  },
  {
    example: 'stop',
    task: 'Nothing fits, and a neighbour has one card left. Your cards are worth only '
      + '1 + 2. Take no risk: stop for this round.',
    shows: 'Stopping here costs 3 points. A single chick from the stock would cost 10 more.',
  },

  { title: 'Alone, or without a stock' },
  {
    list: [
      'When all the others have stopped, the last player goes on alone: play while you can, stop '
        + 'whenever you like, and stop when nothing fits. There is **no more drawing**.',
      'The stock is never refilled. When it is empty nobody can draw, and whoever cannot play '
        + 'must stop.',
    ],
  },
  {
    example: 'alone',
    task: 'Both others have stopped. Get rid of all your cards, one after the other.',
    shows: 'Alone you cannot draw: every card has to fit on the one before. The order 4, 5, 5, 6 '
      + 'gets you home.',
  },

  { title: 'The end of a round' },
  { text: 'A round ends at once when a player has **no cards left**, or when **all have stopped**.' },

  { title: 'Points' },
  { picture: 'points', caption: 'Three chicks and two 3s: 13 points.' },
  {
    list: [
      'Everybody who still holds cards, stopped or not, adds them up. **Equal cards count only '
        + 'once.**',
      'Numbers count their value, a chick counts **10**.',
      'The egg counts as much as the value on top of the pile, 10 if that is a chick. It counts '
        + 'on its own, also beside a card of that value.',
    ],
  },

  { title: 'The dice' },
  { picture: 'dice', caption: 'The rooster is worth 10.' },
  {
    text: 'The dice show 1 to 5 and a rooster. Whoever sheds **all** cards and has points from '
      + 'earlier rounds rolls both dice and takes the sum off the score, never below 0. Only then '
      + 'are the points of the round written down.',
  },
  {
    example: 'dice',
    task: 'You have 23 points and one card left. Play it.',
    shows: 'When your last card is gone, the dice take their sum off your 23 points.',
  },

  { title: 'The next round and the end' },
  {
    list: [
      'Whoever put the last card on the pile opens the next round. If nobody played a card, the '
        + 'same player opens again.',
      'The match ends after a round in which a player has **50 points** or more, and after 100 '
        + 'rounds in any case. The lowest score wins; equal scores share the win.',
      'When you set up a table you may choose another number of points than 50.',
    ],
  },

  { title: 'What everybody may know' },
  {
    text: 'All see the pile and the cards that were played, how many cards everybody and the '
      + 'stock have, who has stopped, and the scores. Hands stay hidden until the round is counted; '
      + 'then all are shown.',
  },
];
