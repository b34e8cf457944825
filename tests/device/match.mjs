// Plays matches again and answers, for every step of each, the digests of all there is to know.
// usage: node match.mjs PACKAGE < [{game, players, options, key, moves}]

import { createHash } from 'node:crypto';
import { answer, engineOf, from, told } from './device.mjs';

const { Illegal, Match } = await from('device/match.js');
const { unhex } = await from('device/shuffle.js');

const digest = (...parts) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\n');
  return hash.digest('hex').slice(0, 12);
};

/** Why a seat cannot do what is not possible now; nothing may have changed by asking. */
function refusal(match, seat, action) {
  const before = match.bytes.slice();
  try {
    match.play(seat, action);
  } catch (problem) {
    if (!(problem instanceof Illegal) || Buffer.compare(before, match.bytes)) throw problem;
    return problem.message;
  }
  return 'it is possible';
}

function step(match, before, log) {
  const viewers = [null, ...Array(match.players).keys()];
  const actors = match.over ? [] : [...match.waiting, ...match.bystanders];
  const odd = match.moves.length % match.engine.actions.length;
  const refused = viewers.slice(1).map((seat) =>
    (match.legalIds(seat).includes(odd) ? '' : refusal(match, seat, match.engine.actions[odd])));
  const facts = [match.waiting, match.bystanders, match.over, match.round, match.scores, match.winners, match.options];
  return {
    state: digest(match.bytes),
    facts: digest(JSON.stringify([...facts, ...actors.map((seat) => match.legal(seat))])),
    refused: digest(...refused),
    hidden: digest(...viewers.map((seat) => match.hidden(seat))),
    views: digest(...viewers.map((seat) => match.view(seat)), Match.viewOf(match.engine, match.bytes, null)),
    changes: digest(...(before ? viewers.map((seat) => match.changes(before.hidden(seat), seat)) : [])),
    events: digest(...(log ? viewers.map((seat) => match.tell(log, seat)) : [])),
    open: digest(...(log ? viewers.map((seat) => match.tell(log, seat, true)) : [])),
  };
}

async function played({ game, players, options, key, moves }) {
  const match = Match.deal(await engineOf(game), { players, options, key: unhex(key) });
  const steps = [step(match, null, null)];
  for (const [seat, action] of moves) {
    const before = match.copy();
    const log = seat === 'chance' ? match.roll() : match.play(seat, action);
    steps.push(step(match, before, log));
    if (before.moves.length !== match.moves.length - 1) throw new Error('a copy has changed');
  }
  return { steps, moves: match.moves };
}

const answers = [];
for (const one of told()) answers.push(await played(one));
answer(answers);
