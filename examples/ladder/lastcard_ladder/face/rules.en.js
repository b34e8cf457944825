/** @type {import('../../../web/types').Rules} */
export default [
  { picture: 'step', caption: 'On a 4 goes a 3 or a 5.' },
  { text: 'One step up or one step down, until you have no card left. For 2 to 4 players.' },
  { title: 'Your turn' },
  { text: '**Play** a card that is exactly one higher or one lower than the top of the ladder; 7 and 1 are neighbours. If you cannot, **draw** a card, which ends your turn. If the stock is empty, **pass**.' },
  { example: 'step', task: 'The ladder shows a 4. Play a card that fits.', shows: 'A 3 and a 5 fit; a 1 does not.' },
  { title: 'Points' },
  { text: 'A round ends when somebody has no card left, or when all in a row have passed. Every card left is a point, and the **lowest score wins**.' },
];
