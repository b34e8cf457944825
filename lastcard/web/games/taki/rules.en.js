/** @type {import('../../types').Rules} */
export default [
  { picture: 'matching', caption: 'Same colour, same figure, or a card without a colour: it fits.' },
  { text: 'Get rid of your cards before everybody else. **2 to 10 players**, 112 cards: in each of four colours two of the numbers 1 and 3 to 9 and two of each command, and eight cards without a colour.' },

  { title: 'Your turn' },
  { text: 'Everybody gets eight cards. The rest is the **stock**, and its first number is turned up as the **leading card**. Play goes clockwise.' },
  { list: [
    'Play one card: of the leading card’s **colour**, of its **number or figure**, or one **without a colour**. It is the new leading card.',
    'If nothing fits, **draw one card** from the stock. That ends your turn; the card can be played next time.',
    'If something fits you must play. (With the option switched off you may draw instead.)',
  ] },
  { example: 'match', task: 'The red 5 leads. Play a card that fits.', shows: 'Red fits, and any 5 fits; the green 1 does not.' },

  { title: 'Commands' },
  { picture: 'commands', caption: 'All cards that are not numbers are commands.' },
  { list: [
    '**2+**: the next player draws two cards, or plays another 2+.',
    '**Stop**: the next player misses a turn. With two players you play again.',
    '**Reverse**: play turns round. With two players the turn just passes.',
    '**Plus**: your turn goes on. You must play again, or draw a card.',
    '**TAKI**: lay as many cards of its colour as you like.',
    '**Change colour**: you name the colour that has to be followed.',
    '**Super TAKI**: you name its colour, and it is a TAKI of that colour.',
    '**Crazy**: the others pass their hands on.',
  ] },

  { title: 'A chain of 2+' },
  { picture: 'chain', caption: 'Every 2+ adds two cards, until somebody draws them all.' },
  { text: 'While a 2+ is active you can only play **another 2+** of any colour, or **draw** two cards for every 2+ of the chain. You may choose. Who draws ends the turn, and then the 2+ is a card like any other.' },
  { example: 'chain', task: 'You would have to draw four cards. Pass them on.', shows: 'Your 2+ makes it six, and they wait for the next player.' },

  { title: 'TAKI' },
  { picture: 'run', caption: 'A run: only its last card works, here the stop.' },
  { list: [
    'After a TAKI lay cards of its colour one by one: a **run**. A Super TAKI may go along and takes the run’s colour.',
    'Commands inside the run do nothing. Only the **last card** works.',
    'Then **close** the TAKI, or **leave it open**. A TAKI or Super TAKI on top cannot be closed.',
    'A change colour or a crazy ends the run and closes the TAKI.',
    'On an **open TAKI** the next player plays as usual. With a card of its colour the run is theirs; another colour, or a card without a colour, closes it. A TAKI or Super TAKI opens its own. Drawing leaves it open.',
    'If a 2+ is active on an open TAKI, another 2+ starts no run: of the TAKI’s colour it leaves the TAKI open, of another colour it closes it.',
    'A run left open on a plus goes on with a card of its colour.',
  ] },
  { example: 'run', task: 'Play the green TAKI, lay the green cards on it, the stop last, and close the TAKI.', shows: 'The reverse in the middle did nothing, but the stop works: the next player misses a turn.' },

  { title: 'Crazy' },
  { picture: 'crazy', caption: 'The others pass their hands on, you keep yours.' },
  { text: 'You name a direction. All **other players** pass their whole hands to the next of them that way, and play goes on in that direction. The card itself is transparent: the leading card, and a colour that was named for it, stay as they were. With two players nothing moves. (With the option you pass your hand on, too, also with two players.)' },

  { title: 'Plus and 3' },
  { picture: 'plusThree', caption: 'A plus and a 3 of its colour: all others draw three.' },
  { text: 'If you play a **3 on your own plus** of the same colour, that is a **+3**: all others must draw three cards. Whoever holds a plus and a 3 of one colour may **break** it and plays both at once, out of turn. Then only you draw three, and that 3 is the leading card. Those who can break it are asked in order, beginning with the next player. The turn then passes on from you. In a run there is no +3.' },
  { example: 'plus_three', task: 'Play the blue plus, and then make it a +3.', shows: 'Nobody could break it: both others have drawn three cards.' },

  { title: 'Last card!' },
  { picture: 'lastCard', caption: 'One card left: call it.' },
  { list: [
    'When your turn leaves you with **one card**, call **“Last card!”** before another player acts. If you forget, you draw four.',
    'You may call early: in your turn with two cards in hand, or in a run.',
    'Your call lapses when you end a turn with more cards than one.',
    'Who breaks a +3 and has one card left must call, too. Nobody can call while a +3 is being asked about.',
    'For a hand that came by a crazy card nobody has to call.',
    'With the option “It is called for you” there is nothing to forget.',
  ] },
  { example: 'last_card', task: 'Play one of your two cards, and do not forget to call.', shows: 'You have called in time, so nothing can happen to your last card.' },

  { title: 'The end of a round' },
  { list: [
    'Who has **no card left** wins the round. Commands of the last card do nothing any more.',
    'Nobody goes out on a **plus**: with no card left you draw one. Only if there is nothing to draw have you won.',
    'If a **+3** was your last card, you have won if nobody breaks it. Who breaks it with the last two cards wins.',
    'When the stock is empty, the pile under the leading card is shuffled and becomes the new stock. If that is not enough, players draw what there is.',
    'If all players in a row draw nothing, or after 2,000 turns, the round ends without a winner; everybody counts their cards, and the same player opens again.',
  ] },

  { title: 'Points' },
  { picture: 'points', caption: 'Numbers count their value, commands 10. The winner gets 100 points off.' },
  { text: 'Points are bad. The winner of the round gets **−100** and opens the next round. The others add up the cards left in their hands: numbers count their value, commands 10. After **five rounds**, or as many as you choose, the **lowest** score wins; who is equal shares the win.' },
];
