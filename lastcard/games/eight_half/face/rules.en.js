/** @type {import('../../../web/types').Rules} */
export default [
  { picture: 'goal', caption: 'Lay your cards on the pot. If you cannot, you eat it.' },
  { text: 'Eight and a Half is for 2 to 5 players. **Get rid of all your cards first**, and eat as few pots as you can.' },

  { title: 'The cards' },
  { picture: 'deck', caption: 'There are 72 cards.' },
  { list: [
    '**1 to 8** are yellow (with a triangle): four each of 1 and 2, six each of 3 to 8.',
    '**9** is red (with a disc), the highest number. There are six.',
    '**0, half and ghost** are the three jokers (with a crescent moon): six zeros, eight halves, eight ghosts.',
  ] },

  { title: 'The deal' },
  { picture: 'layout', caption: 'What lies before every player.' },
  { list: [
    'All cards are dealt out evenly. Your pile, face down, is your **bank**. With five players two get 15 cards, the others 14; the extra cards go to the opener and the next player.',
    'Three cards of it lie face down: the **blind** cards. Nobody may look at them.',
    'On them lie three **open** cards, for all to see.',
    'Three more are your **hand**. After each turn it is filled up to three from your bank.',
  ] },

  { title: 'The first pot' },
  { text: 'The first pot of a round is opened by whoever has the **lowest yellow card** in hand, with just that card. Equal cards may be added, but no half to an 8. If several players have it, the first of them from the opener on begins. If nobody has a yellow card, the opener begins with any card. Later pots are opened with any card.' },

  { title: 'Your turn' },
  { text: 'Play goes clockwise. The pot has a **value**, shown on the moon. If you can, you must put a card on the pot.' },
  { list: [
    'A number fits if it is **as high as the value or higher**. Then it is the new value.',
    'From your hand you may put down **several equal cards** at once. Each must fit on the one before.',
  ] },

  { title: 'Jokers' },
  { picture: 'jokers', caption: 'The ghost changes nothing, the half adds ½, the zero starts again.' },
  { list: [
    'The **ghost** fits on everything. It is transparent: the pot keeps its value and all that it asks for. On an empty pot the value is 0.',
    'The **half** fits on everything but 8½. The value rises by ½. On an empty pot it is ½.',
    'The **zero** fits on whole numbers. The value becomes 0, and anything may follow.',
  ] },
  { example: 'jokers', task: 'The pot is at 6. Play one of your three jokers.', shows: 'The ghost leaves 6, the half makes 6½, the zero makes 0. But on 6½ there is danger: the next player may have a 7.' },

  { title: 'Eight and a half' },
  { picture: 'eight', caption: '8 and half together are one card, worth 8½.' },
  { list: [
    'If you have both in your hand you may play **8 and half together**, on a value of up to 8½, but not on 5. This is done only once in a turn.',
    'On **8½** only a ghost, another 8½ or a 9 fits.',
    'On **9** go 9, zero, half and ghost.',
    'Halves go on **above 9**: 9½, 10, 10½. There only halves and ghosts fit, and a zero if the number is whole.',
  ] },
  { example: 'eight', task: 'The pot is at 7. Tap your 8 and play it together with the half.', shows: '8 and half together bring the pot to 8½. The next player has nothing that fits then, and must eat it.' },

  { title: 'Five: go down' },
  { picture: 'five', caption: 'On 5 comes a 5 or lower, or a joker.' },
  { text: 'When the value is 5, however it came about (4 and two halves will do), the next player must **go down**: a number of 5 or lower, or any joker. A ghost passes this on to the next one. After any other card all is as usual, unless the value is 5 again. The 5 itself is a number like the others: it fits on 5 and below.' },
  { example: 'five', task: 'The pot is at 5. Your 8 and 9 are too high now: go down.', shows: 'The 2 fits, and for the next player everything is as usual again.' },

  { title: 'The policeman' },
  { picture: 'police', caption: '3½ is caught with a 4: the offender eats it all.' },
  { list: [
    'Whoever leaves the pot **on a half number**, or passes such a pot on with a ghost, commits an offence.',
    'Only the **next player** can catch the offender, with the next whole number: 4 on 3½, 9 on 8½, 1 on ½. That card, one or several, is the policeman, and it always catches. From 9½ on there is none.',
    'The offender eats the pot with the policeman. The player who caught them opens the next pot.',
    'Any other card that fits lets the offender go. 8 and half together never catch.',
  ] },
  { example: 'police', task: 'The player before you has left the pot on 3½. Play the 4.', shows: 'The 4 catches: the offender eats the whole pot, it is burned, and you open the next one.' },

  { title: 'Eating the pot' },
  { text: 'If nothing of yours fits you **eat the pot**, and the next player opens a new one. What you eat is **burned**: it is out of play, but counted against you. Once you have played from the table, open or blind, the pot goes into your hand instead.' },

  { title: 'From hand to table' },
  { picture: 'stages', caption: 'First the hand, then the open cards, then the blind ones.' },
  { list: [
    'When your bank is empty, play out your hand.',
    'Then play the **open** cards, one in a turn. Of two equal ones the left one goes.',
    'When these are gone, **flip** a blind card onto the pot. If it fits, the turn passes, and a policeman catches. If not, you eat the pot and that card, into your hand.',
    'What came into your hand is played out before you use the table again. A turn never mixes hand, open and blind cards.',
  ] },
  { example: 'blind', task: 'The pot is at 6, and you have two blind cards left. Flip one.', shows: 'One is a 9 and fits. The other is a 2: with it you eat the pot into your hand.' },

  { title: 'The end of a round' },
  { picture: 'points', caption: '2 points for being out first, 1 for the fewest cards.' },
  { list: [
    'A round ends at once when a player has **no card left**, neither in bank, hand, open nor blind. If the last card was a policeman, the offender eats first. Whoever is out cannot be caught any more.',
    'The winner gets **2 points**.',
    'Everybody counts all cards that are left, wherever they lie, and the burned ones. The **lowest count** brings **1 point**, to everybody who has it, the winner included.',
    'A round of 500 turns ends without a winner and without points.',
  ] },

  { title: 'The next round' },
  { text: 'Whoever has the highest count, apart from the winner, is the **big loser** (in a tie, the first after the winner). Before the next round the winner may **exchange** one open card for one of the big loser’s, or keep all. If there was no winner there is no exchange. The opener of the next round is the seat after the last opener.' },
  { text: 'After the last round, the fifth unless you choose otherwise, the highest score wins. With equal scores the win is shared.' },

  { title: 'What everybody knows' },
  { text: 'Everybody sees the pot, the open and the burned cards, and how many cards there are of everything. The hand of whoever has played from the table is known, as all of it was seen in the pot. Nobody knows banks and blind cards, not even their own.' },

  { title: 'Options' },
  { list: [
    '**Rounds**: how many a match has; 5 unless you choose otherwise.',
    '**Opener**: who is the opener of the first round; drawn by lot unless it is set.',
  ] },
];
