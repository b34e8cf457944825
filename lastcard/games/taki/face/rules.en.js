/** @type {import('../../../web/types').Rules} */
export default [
  { picture: 'matching', caption: 'Same colour, same symbol, or a card without a colour: it fits.' },
  { text: 'Get rid of your cards before everybody else. **2 to 10 players**, 112 cards. Each of four colours has two each of the numbers 1 and 3 to 9 and of the commands +2, stop, reverse, plus and TAKI. Without a colour there are four change colour, two Super TAKI and two crazy cards.' },

  { title: 'Your turn' },
  { text: 'Everybody gets eight cards. The rest is the **stock**; its top card is turned up as the **leading card**. If it is not a number it goes back into the stock at a random place, and another is turned up. The opener, in the first round drawn by lot, begins; play goes clockwise.' },
  { list: [
    'Play one card: of the leading card’s **colour**, of its **number or symbol**, or one **without a colour**. It is the new leading card.',
    'If nothing fits, **draw one card** from the stock. That ends your turn; the card can be played next time.',
    'If something fits you must play. (With the option “Whoever can play must play” switched off you may draw instead, also after a plus.)',
  ] },
  { example: 'match', task: 'The red 5 leads. Play a card that fits.', shows: 'Red fits, and any 5 fits; the green 1 does not.' },

  { title: 'Commands' },
  { picture: 'commands', caption: 'All cards that are not numbers are commands.' },
  { list: [
    '**+2**: the next player draws two cards, or plays another +2.',
    '**Stop**: the next player misses a turn. With two players you play again.',
    '**Reverse**: the direction changes. With two players the turn just passes.',
    '**Plus**: you play again. If you cannot, draw a card.',
    '**TAKI**: lay as many cards of its colour as you like.',
    '**Change colour**: you name the colour that has to be followed.',
    '**Super TAKI**: you name its colour, and it is a TAKI of that colour. Any other TAKI fits on it, too.',
    '**Crazy**: the others pass their hands on.',
  ] },

  { title: 'A chain of +2' },
  { picture: 'chain', caption: 'Every +2 adds two cards, until someone draws them all.' },
  { text: 'While a +2 is active you can only play **another +2** of any colour, or **draw** two cards for every +2 of the chain. The choice is free. Drawing ends the turn, and then the +2 is a card like any other.' },
  { example: 'chain', task: 'You would have to draw four cards. Pass them on.', shows: 'A +2 makes it six, and they wait for the next player.' },

  { title: 'TAKI' },
  { picture: 'run', caption: 'A run: only its last card works, here the stop.' },
  { list: [
    'After a TAKI lay cards of its colour one by one: a **run**. A Super TAKI may go along and takes the run’s colour.',
    'Commands inside the run do nothing. Only the **last card** works.',
    'Then **close** the TAKI, or **leave it open**. A TAKI or Super TAKI on top cannot be closed.',
    'A change colour or a crazy ends the run, closes the TAKI and ends the turn.',
    'On an **open TAKI** the next player plays as usual. With a card of its colour the run is theirs; a card of another colour, or without a colour, closes it. A TAKI or Super TAKI opens its own. Drawing leaves it open.',
    'If a +2 is active on an open TAKI, another +2 starts no run: of the TAKI’s colour it leaves the TAKI open, of another colour it closes it.',
    'A run left open on a plus goes on with a card of its colour in the extra turn.',
  ] },
  { example: 'run', task: 'Play the green TAKI, lay the green cards on it, the stop last, and close the TAKI.', shows: 'The reverse inside the run does nothing, but the stop at its end works: the next player misses a turn.' },

  { title: 'Crazy' },
  { picture: 'crazy', caption: 'The others pass their hands on, you keep yours.' },
  { text: 'You name a direction. All **other players** pass their whole hands to the next of them that way, and play goes on in that direction. The card itself is transparent: the leading card, and a colour that was named for it, stay as they were. With two players nothing moves. (With the option “Crazy moves every hand” you pass your hand on, too, also with two players.)' },

  { title: 'Plus and 3' },
  { picture: 'plusThree', caption: 'A plus and a 3 of its colour: all others draw three.' },
  { text: 'If you play a **3 on your own plus** of the same colour, in the extra turn, that is a **+3**: all others must draw three cards. Whoever holds a plus and a 3 of one colour may **break** it by playing both at once, out of turn. Then only you draw three, and the breaker’s 3 is the leading card. Those who can break it are asked in order, beginning with the next player. The turn then passes on from you. In a run there is no +3.' },
  { example: 'plus_three', task: 'Play the blue plus, and then make it a +3.', shows: 'Nobody can break your +3, so both others draw three cards.' },

  { title: 'Last card!' },
  { picture: 'lastCard', caption: 'One card left: call it.' },
  { list: [
    'When your turn leaves you with **one card**, call **“Last card!”** before another player acts. If you forget, you draw four, before that player’s action takes effect.',
    'You may call early: in your turn with two cards in hand, or in a run.',
    'Your call lapses when you end a turn with more than one card.',
    'Whoever breaks a +3 and has one card left must call, too. Nobody can call while a +3 is being asked about.',
    'Nobody has to call for a hand that came by a crazy card.',
    'With the option “It is called for you” there is nothing to forget.',
  ] },
  { example: 'last_card', task: 'Play one of your two cards, and do not forget to call.', shows: 'You have called in time, so nothing can happen to your last card.' },

  { title: 'The end of a round' },
  { list: [
    'Whoever has **no card left** wins the round, at once. Commands of the last card no longer do anything.',
    'Nobody goes out on a **plus**: with no card left you draw one. If there is nothing to draw, you have won.',
    'If a **+3** was your last card, you have won only if nobody breaks it. Whoever breaks it with the last two cards wins.',
    'When the stock is empty, the pile under the leading card is shuffled and becomes the new stock. If that is not enough, players draw what there is.',
    'If everybody in turn finds nothing to draw, or after 2,000 turns, the round ends without a winner; everybody counts their cards, and the same player opens again.',
  ] },

  { title: 'Points' },
  { picture: 'points', caption: 'Numbers count their value, commands 10. The winner gets 100 points off.' },
  { text: 'Points are bad. The winner of the round gets **−100** and opens the next round. The others add up the cards left in their hands: numbers count their value, commands 10. After **five rounds**, or as many as you choose, the **lowest** score wins; with equal scores the win is shared.' },

  { title: 'What everybody knows' },
  { text: 'All see the pile, how many cards everybody and the stock have, and who has called. Hands are hidden. After a crazy you know the hand that you passed on, until its cards are played. When a round ends the cards that are left are shown.' },
];
