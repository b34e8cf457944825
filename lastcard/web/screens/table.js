// A table: waiting for players, the match, its end and the way to a rematch.

import { forgetDrawings, h, morph } from '../lib/dom.js';
import { ask, joinTable, offered, save } from '../lib/api.js';
import { Connection } from '../lib/connection.js';
import { emblem, load } from '../lib/faces.js';
import { copy, invitation } from '../lib/invite.js';
import { moment } from '../lib/motion.js';
import { go } from '../lib/router.js';
import { buzz, playSound } from '../lib/sound.js';
import { forget, get, keep, keepToken, set } from '../lib/settings.js';
import { named, number, readBy, t } from '../lib/words.js';
import { Clock } from '../table/clock.js';
import { askDialog, finalDialog, linkDialog, menuDialog, roundDialog, rulesDialog, whatDialog } from '../table/dialogs.js';
import { EventLog } from '../table/eventlog.js';
import { cover, requestAs, seatsHere, tokenOf } from '../table/handover.js';
import { header } from '../table/header.js';
import { LogPanel } from '../table/log.js';
import { Notices } from '../table/notices.js';
import { celebrate } from '../table/party.js';
import { roundResult } from '../table/results.js';
import { waitingRoom } from '../table/room.js';
import { Stage } from '../table/stage.js';
import { counted, lines, refusal, seating } from '../table/words.js';
import { alert, bar } from './parts.js';

const BACKLOG = 4; // waiting messages beyond which cards no longer travel
const PACE = 650; // milliseconds per move where one turn may be many moves; a tap skips them
const REACTION = 4000; // milliseconds that a reaction stays visible
const SLOW_HINT = 1500; // milliseconds after which we say that search is still warming up
const HINT_TIMEOUT = 120_000; // milliseconds
const HINT_SHOWN = 8000; // milliseconds
const TICK = 500; // milliseconds between updates of the clock
const RECAP_STEPS = 12; // moves to recap for whoever gets the device
const RECAP_LINES = 4;
const RECAP_SHOWN = 9000; // milliseconds
const LOG_STEPS = 120; // moves that the log goes back after a reload
const RESULT_TIMEOUT = 6000; // milliseconds that a round's result may hold up a table with a clock

/** @param {import('../types').Happening} event */
const endsRound = ({ kind }) => kind === 'scored';

/** @type {import('../lib/router.js').Screen} */
export default async function tableScreen(root, id = '') {
  try {
    const [table, games] = await Promise.all([ask(`/api/tables/${encodeURIComponent(id)}`), offered()]);
    const module = await load(table.game);
    const screen = new TableScreen(root, id, table, module, games, await emblem(table.game));
    screen.begin();
    return () => screen.close();
  } catch (problem) {
    const { code = 'unavailable' } = /** @type {any} */ (problem);
    if (code === 'unavailable') console.error(problem);
    root.append(bar(t('table.title')), deadEnd(code === 'not_found' ? t('table.none') : refusal(code)));
  }
}

/** What is wrong, and the way out. @param {string} text @param {string} [tag] */
const deadEnd = (text, tag = 'main') => h(tag, { class: 'page narrow' }, alert(text),
  h('p', {}, h('a', { class: 'button', href: '/' }, t('nav.lobby'))));

class TableScreen {
  /**
   * @param {HTMLElement} root
   * @param {string} id
   * @param {any} table
   * @param {any} module
   * @param {any} games what the server offers
   * @param {SVGElement} picture
   */
  constructor(root, id, table, module, games, picture) {
    this.id = id;
    this.table = table;
    this.module = module;
    /** @type {import('../types').Face} */
    this.face = module.default;
    this.reactions = games.reactions;
    this.invitation = invitation(games, id);
    this.lowest = games.games.find((/** @type {any} */ one) => one.id === table.game).lowest_wins;
    this.picture = picture;
    /** @type {number | null} */
    this.seat = null;
    /** @type {any} */
    this.match = null;
    /** @type {import('../types').View | null} */
    this.view = null;
    /** @type {any[]} */
    this.queue = []; // messages still to be shown
    this.busy = false; // whether one of them is being shown
    /** @type {string | null} */
    this.token = null;
    /** @type {Connection | null} */
    this.connection = null;
    /** @type {import('../lib/connection.js').State} */
    this.state = 'connecting';
    /** @type {number | null} */
    this.coveredFor = null; // the seat whose hand stays covered until its player has the device
    this.recapDue = false;
    this.leaving = false;
    this.played = false; // whether a move was seen here: a match that was only looked up is not celebrated
    this.celebrated = 0; // the number of the match
    /** @type {number | null} */
    this.ending = null; // the round whose result is on show, while the next is already dealt
    this.hurried = 0; // the round in which the bots were told to hurry
    this.thinking = false; // whether a hint is on its way
    this.clock = new Clock();
    this.events = new EventLog();
    this.header = h('header', { class: 'bar' });
    this.notices = new Notices((told) => this._notices(told));
    this.main = h('main', { class: 'stage', style: { display: 'contents' } });
    this.log = new LogPanel({ toggle: () => this._toggleLog(), redock: () => this.draw() });
    this.announcer = h('div', { class: 'unseen', 'aria-live': 'polite', role: 'log' });
    root.classList.add('table-screen', `game-${this.face.id}`);
    root.append(this.header, this.notices.element, this.main, this.log.element, this.announcer);
    this.stage = this._newStage();
    this.stage.eager = true;
    this.ticking = setInterval(() => this._tick(), TICK);
  }

  _newStage() {
    const stage = new Stage(this.main, this.module, (action) => this._move(action));
    stage.catchUp = () => this._catchUp();
    stage.about.asked = () => this._whatIsWhat();
    return stage;
  }

  begin() {
    this._drawHeader();
    const given = location.hash.slice(1); // a link with a token is somebody's own
    const seats = seatsHere(this.id);
    const [first] = seats;
    if (given) this._connect(given);
    else if (seats.length > 1 && first !== undefined && this.table.status === 'playing') {
      // Find out whose turn it is before anybody's cards are shown.
      if (this.table.watch) this._connect(null);
      else this._cover(first);
    }
    else if (first !== undefined) this._connect(tokenOf(this.id, first));
    else if (this.table.status === 'open' && !this.table.watch) this.draw();
    else this._connect(null);
  }

  close() {
    clearInterval(this.ticking);
    this.log.close();
    this.connection?.close();
    this.stage.close();
    document.querySelectorAll('dialog').forEach((dialog) => dialog.remove());
    readBy(get().pronoun || null);
  }

  /** @param {string | null} token */
  _connect(token) {
    this.connection?.close();
    this.queue = [];
    this.token = token;
    this.connection = new Connection(this.id, token, (message) => this._receive(message), (state) => this._stateChanged(state));
  }

  // --- Messages from the server ---

  /** Messages queue up, so that moves are shown one after the other. @param {any} message */
  async _receive(message) {
    this.queue.push(message);
    if (this.busy) return;
    this.busy = true;
    try {
      while (this.queue.length) await this._handle(this.queue.shift());
    } finally {
      this.busy = false;
    }
  }

  /** @param {any} message */
  async _handle(message) {
    switch (message.type) {
      case 'welcome': return this._welcome(message);
      case 'table': return this._tableChanged(message.table);
      case 'match': return this._matchChanged(message.match);
      case 'update': return this._update(message);
      case 'undone': return this._undone(message.seat);
      case 'reaction': return this._showReaction(message);
      case 'error': return this._refused(message);
      case 'hint': return this._showHint(message);
    }
  }

  /** @param {any} message */
  async _welcome(message) {
    this.events.doubt(); // something may have happened while we were offline
    this.seat = message.seat;
    const { seats } = message.table;
    readBy(this.seat === null ? get().pronoun || null : seats[this.seat].pronoun); // several people may share this device
    if (this.seat !== null && this.token) keepToken(this.id, this.seat, this.token);
    history.replaceState(history.state, '', location.pathname); // not earlier: a reload before this still needs the token
    const people = seats.filter((/** @type {any} */ chair) => chair.kind === 'person');
    keep(this.id, { game: this.table.game, names: people.map((/** @type {any} */ chair) => chair.name) });
    this._tableChanged(message.table);
    if (message.match) await this._matchChanged(message.match);
    else this.draw();
    if (this.table.status === 'over') this._showMatchResult(); // it ended while nobody was here
  }

  /** @param {any} table */
  _tableChanged(table) {
    const ended = table.status === 'over' && this.table.status !== 'over';
    this.table = table;
    this.clock.set(table.status === 'playing' ? table.seconds : null);
    if (table.status === 'over') keep(this.id, { matches: table.number });
    this.draw();
    if (ended || document.querySelector('dialog.final')) this._showMatchResult();
  }

  /** @param {any} match */
  async _matchChanged(match) {
    // Bots may have made a few moves before we saw anything: that still counts as seeing the deal.
    const dealt = this.match ? this.match.number !== match.number : match.version <= match.view.players;
    if (this.match?.number !== match.number) {
      this.events.forget();
      this.events.complete = match.view.round === 1 && this.match !== null;
      this.announcer.replaceChildren();
      this.hurried = 0;
      document.querySelector('dialog.final')?.remove();
    }
    this.match = match;
    this.view = match.view;
    if (this._passOn()) return;
    this.draw();
    if (dealt && this.view) await this.stage.play(this.view, this._around(), [{ kind: 'dealt', seat: -1 }]);
    if (this.recapDue) this._recap();
  }

  /** @param {any} message */
  async _update(message) {
    if (!this.view || !this.match) return;
    const before = this.view, { events } = message;
    const view = this._apply(message);
    this.played = true;
    this._drawHeader();
    const next = events.findIndex((/** @type {any} */ event) => event.kind === 'dealt');
    const result = roundResult(this.face, events, this.at, before, this.lowest);
    if (result && !view.over && next >= 0) {
      await this._endRound(before, events.slice(0, next), result);
      this._announceTurn(before);
      await this._play(view, events.slice(next));
    } else {
      if (result) this.lastRound = result;
      this._announceTurn(before);
      await this._play(view, events);
    }
    if (!this._passOn()) this._drawFrame();
    this._hurryBots(message.seat);
  }

  /** Takes in an update without showing it. @param {any} message @returns {import('../types').View} */
  _apply(message) {
    this.view = /** @type {import('../types').View} */ ({ ...this.view, ...message.changes });
    this.match = { ...this.match, version: message.version, undo: message.undo };
    this.clock.set(message.seconds);
    this.events.add(message.version, message.events);
    const text = lines(this.face, message.events, this.at).map((line) => line.text).join(' ');
    this.announcer.replaceChildren(h('p', {}, text));
    return this.view;
  }

  /**
   * @param {import('../types').View} view
   * @param {import('../types').Happening[]} events
   */
  async _play(view, events) {
    if (view !== this.view) return; // a tap has already brought the table up to date
    const paced = this.module.paced?.(view) ?? false;
    if (this.queue.length > BACKLOG && !paced) this.stage.show(view, this._around());
    else await this.stage.play(view, this._around(), events);
    if (paced && !view.over && !view.waiting.includes(this.seat)) await moment(PACE);
  }

  /** Shows at once whatever has arrived, up to the end of a round. */
  _catchUp() {
    while (this.queue[0]?.type === 'update' && this.view && this.match && !this.queue[0].events.some(endsRound)) {
      this.stage.show(this._apply(this.queue.shift()), this._around());
      this._drawHeader();
    }
  }

  /**
   * Leaves the table as the round ended until somebody has seen the result.
   * @param {import('../types').View} before
   * @param {import('../types').Happening[]} events
   * @param {HTMLElement} result
   */
  async _endRound(before, events, result) {
    const ended = this.module.ended?.(before, events) ?? { ...before, legal: [], waiting: [] };
    this.ending = before.round;
    this._drawHeader();
    await this.stage.play(ended, { ...this._around(), live: false }, events);
    const closed = roundDialog(result);
    const timeout = () => new Promise((resolve) => setTimeout(resolve, RESULT_TIMEOUT));
    await (this.table.clock === null ? closed : Promise.race([closed, timeout()]));
    this.ending = null;
    this._drawHeader();
  }

  /** A player who is out of the round need not sit through it. @param {number | string} moved who has just moved */
  _hurryBots(moved) {
    const { view, seat } = this;
    if (!view || seat === null || moved === seat || view.over || !this.module.out?.(view, seat)) return;
    if (this.hurried === view.round) return;
    this.hurried = view.round; // never right after one's own move, which may still be taken back
    this.connection?.request('hurry');
  }

  /** Buzzes and chimes when it becomes one's turn. @param {import('../types').View} before */
  _announceTurn(before) {
    const { view, seat } = this;
    if (!view || seat === null || !view.waiting.includes(seat) || before.waiting.includes(seat)) return;
    buzz();
    playSound('turn');
  }

  /** @param {number} seat */
  _undone(seat) {
    this.notices.tell(seat === this.seat ? t('table.undoneYou') : t('table.undone', { name: named(this.at, seat) }));
  }

  /** @param {any} message */
  _showReaction(message) {
    playSound('reaction');
    this.stage.reactions.set(message.seat, t(`reaction.${message.reaction}`));
    this.stage.draw();
    setTimeout(() => {
      this.stage.reactions.delete(message.seat);
      this.stage.draw();
    }, REACTION);
  }

  /** @param {any} message */
  async _refused(message) {
    if (this.state === 'gone' || !this.view) this.notices.tell(refusal(message.code));
    else await this.stage.complain(refusal(message.code));
  }

  /** @param {import('../lib/connection.js').State} state */
  _stateChanged(state) {
    this.state = state;
    this.notices.draw();
    if (state === 'gone' && !this.view) this.draw();
  }

  // --- What people do ---

  /** @param {string} action */
  _move(action) {
    if (!this.connection || !this.match || this.connection.busy) return false;
    this.connection.move(this.match.version, action);
    return true;
  }

  /**
   * @param {string} type
   * @param {Record<string, unknown>} [more]
   */
  async _request(type, more) {
    const { connection } = this;
    const answer = await connection?.request(type, more);
    // Passing the device on closes the connection: then nothing went wrong.
    if (answer?.type === 'error' && connection === this.connection) this.notices.tell(refusal(answer.code));
    return answer;
  }

  async _askForHint() {
    if (this.thinking || !this.view) return;
    this.thinking = true;
    this._drawHeader();
    this.notices.tell(t('hint.thinking'), HINT_TIMEOUT);
    const slow = setTimeout(() => this.notices.tell(t('hint.first'), HINT_TIMEOUT), SLOW_HINT);
    const { connection } = this;
    const answer = await connection?.request('hint');
    clearTimeout(slow);
    this.thinking = false;
    this._drawHeader();
    if (connection !== this.connection) return; // the device has been passed on
    if (answer?.type === 'hint') this._receive(answer); // in turn, behind what came before it
    else this.notices.tell(refusal(answer?.code ?? 'offline'));
  }

  /** @param {any} answer */
  _showHint(answer) {
    if (answer.version !== this.match?.version) {
      this.notices.tell(t('hint.late'));
      return;
    }
    const [best] = answer.best;
    const offer = this.stage.offers.find((one) => one.action === best?.action);
    this.stage.hint = offer?.action ?? null;
    this.stage.draw();
    const card = offer?.on.startsWith('hand:') ? this.face.cardName(offer.on.slice(5)) : '';
    const what = offer ? (offer.label.includes(card) ? offer.label : `${card}: ${offer.label}`) : t('hint.wait');
    this.notices.tell(t('hint.line', { what, chance: number(Math.round(100 * (best?.chance ?? 0))) }), HINT_SHOWN);
  }

  async _rematch() {
    await this._requestForOthers('rematch');
    await this._request('rematch');
  }

  /** For everybody else on this device. @param {string} type */
  async _requestForOthers(type) {
    for (const seat of seatsHere(this.id)) if (seat !== this.seat) await requestAs(this.id, seat, type);
  }

  async _leave() {
    this.leaving = true; // the server now counts us as a spectator: do not cover the hand for that
    const answer = await this._request('leave');
    this.leaving = false;
    if (answer?.code === 'offline') return; // forgetting the seat now would lose it
    await this._requestForOthers('leave');
    forget(this.id);
    go('/');
  }

  /** @param {string} name @param {'' | 'he' | 'she'} pronoun */
  async _join(name, pronoun) {
    try {
      const seated = await joinTable(this.id, name, pronoun || null);
      set({ name, pronoun });
      keep(this.id, { game: this.table.game });
      keepToken(this.id, seated.seat, seated.token);
      this._connect(seated.token);
    } catch (problem) {
      this.notices.tell(refusal(/** @type {any} */ (problem).code));
      this.table = await ask(`/api/tables/${encodeURIComponent(this.id)}`).catch(() => this.table); // somebody was quicker?
      if (this.table.status !== 'open') this._connect(null);
      this.draw();
    }
  }

  // --- Several people on one device ---

  /** Covers the hand if it is the turn of somebody else here; whether it did. */
  _passOn() {
    const { view, seat } = this;
    if (!view || view.over || this.leaving || (seat !== null && view.waiting.includes(seat))) return false;
    const next = seatsHere(this.id).find((one) => view.waiting.includes(one));
    if (next === undefined) return false;
    this._cover(next);
    return true;
  }

  /** Nothing of the previous hand stays on the page, nor in its memory. @param {number} seat */
  _cover(seat) {
    this.connection?.close();
    this.connection = null;
    this.queue = [];
    this.view = this.match = null;
    this.events.forget();
    this.log.closeDrawer();
    this.notices.forget();
    this.announcer.replaceChildren();
    this.recapDue = false;
    this.stage.close();
    forgetDrawings();
    this.stage = this._newStage();
    document.querySelector('dialog.round')?.remove();
    this.coveredFor = seat;
    this.draw();
  }

  _uncover() {
    const seat = this.coveredFor;
    if (seat === null) return;
    this.coveredFor = null;
    this.main.replaceChildren();
    this.recapDue = true;
    this._connect(tokenOf(this.id, seat));
  }

  /** Tells whoever has just got the device what happened since their last move. */
  async _recap() {
    this.recapDue = false;
    const steps = await this._lastSteps(RECAP_STEPS);
    const own = steps.findLastIndex((/** @type {any} */ step) => step.seat === this.seat);
    const events = steps.slice(own + 1).flatMap((/** @type {any} */ step) => step.events);
    const recap = lines(this.face, events, this.at).slice(-RECAP_LINES).map(counted);
    if (recap.length) this.notices.tell(recap.join(' '), RECAP_SHOWN);
  }

  /**
   * The last steps of the match as this seat may see them; none if the device has been passed on by the time they
   * arrive, since nobody else may see them.
   * @param {number} most
   * @returns {Promise<any[]>}
   */
  async _lastSteps(most) {
    const { connection } = this;
    const path = `/api/tables/${this.id}/matches/${this.match.number}/steps?${this.seat === null ? '' : `seat=${this.seat}&`}`;
    const more = { token: this.token ?? undefined };
    const { of } = await ask(`${path}count=1`, more).catch(() => ({ of: 0 }));
    const answer = await ask(`${path}from=${Math.max(0, of - most)}&count=${most}`, more).catch(() => null);
    return connection === this.connection ? (answer?.steps ?? []) : [];
  }

  // --- Drawing ---

  get at() {
    return seating(this.table, this.seat);
  }

  /** @returns {import('../table/stage.js').Around} */
  _around() {
    const here = seatsHere(this.id);
    const seats = this.table.seats.map((/** @type {any} */ chair, /** @type {number} */ n) => (here.includes(n) ? { ...chair, here: true } : chair));
    const table = { ...this.table, seats }; // people at this device are never "away"
    const live = this.seat !== null && table.status === 'playing' && this.state !== 'gone';
    const react = live ? { all: this.reactions, send: (/** @type {string} */ reaction) => this._request('react', { reaction }) } : null;
    return { table, at: this.at, version: this.match?.version ?? 0, seconds: this.clock.left, live, react };
  }

  draw() {
    this._drawFrame();
    if (this.coveredFor !== null) this._drawCover(this.coveredFor);
    else if (this.table.status === 'open') this._drawRoom();
    else if (this.view) {
      if (!this.main.querySelector('.board')) this.main.replaceChildren();
      this.stage.show(this.view, this._around());
    } else if (this.state === 'gone') this.main.replaceChildren(deadEnd(t('table.none'), 'div'));
  }

  /** Everything around the table: the bar, notices and the log. */
  _drawFrame() {
    this._drawHeader();
    this.notices.draw();
    this._drawLog();
  }

  /** @param {number} seat */
  _drawCover(seat) {
    const picture = this.picture.cloneNode(true);
    this.main.replaceChildren(cover({ name: named(this.at, seat), tiles: this.face.tiles ?? false, picture, uncover: () => this._uncover() }));
    this.main.querySelector('button')?.focus();
  }

  _drawRoom() {
    const { name, pronoun, level } = get();
    const wanted = waitingRoom({
      table: this.table, seat: this.seat, id: this.id, invitation: this.invitation, name, pronoun, level,
      join: (name, pronoun) => this._join(name, pronoun),
      fill: (level) => this._request('fill', { level }),
      seed: (seed) => this._request('seed', { seed }).then((answer) => answer?.type === 'ok' && this.notices.tell(t('room.seeded'))),
      leave: () => this._leave(),
      tell: (text) => this.notices.tell(text),
      picture: this.picture.cloneNode(true),
    });
    const there = this.main.querySelector('.waiting-room');
    if (there) morph(there, wanted);
    else this.main.replaceChildren(wanted);
  }

  _drawHeader() {
    const { view, table, seat } = this;
    const shown = view !== null && this.coveredFor === null;
    const onlyBots = table.seats.every((/** @type {any} */ chair, /** @type {number} */ n) => n === seat || chair.kind === 'bot' || chair.left);
    const title = t(`${this.face.id}.title`);
    const myTurn = shown && seat !== null && view.waiting.includes(seat);
    document.title = `${myTurn ? '● ' : ''}${title} · ${t('app.name')}`; // seen from another tab
    morph(this.header, header({
      title,
      round: shown ? (this.ending ?? view.round) : null,
      watching: shown && seat === null,
      clock: this._clockText(),
      has: { undo: shown && seat !== null && table.undo, hint: shown && seat !== null && onlyBots },
      undo: shown && this.match?.undo ? () => this._request('undo', { version: this.match.version }) : null,
      hint: shown && view.legal.length > 0 && table.status === 'playing' && !this.thinking ? () => this._askForHint() : null,
      log: shown ? () => this._toggleLog() : null,
      logOpen: this.log.open,
      rules: () => this._showRules(),
      sound: get().sound,
      mute: () => this._toggleSound(),
      menu: () => this._showMenu(),
    }));
  }

  _clockText() {
    return this.table.status === 'playing' ? this.clock.text : '';
  }

  _tick() {
    const shown = this.header.querySelector('.clock'), text = this._clockText();
    if (!shown || shown.textContent === text) return;
    shown.textContent = text;
    shown.classList.toggle('late', this.clock.late);
  }

  /** @param {string} told */
  _notices(told) {
    const { table, seat } = this;
    const resume = () => h('button', { type: 'button', class: 'button small', onclick: () => this._request('resume') }, t('menu.resume'));
    return [
      this.state === 'lost' ? h('p', { class: 'notice lost' }, t('table.lost')) : null,
      told ? h('p', { class: 'notice' }, told) : null,
      !told && table.status === 'playing' && table.agreed.length ? h('p', { class: 'notice' }, this._pauseRequest()) : null,
      table.status === 'paused' ? h('p', { class: 'notice' }, t('table.paused'), ' ', seat === null ? null : resume()) : null,
      !told && this.view && seat === null && this.coveredFor === null ? h('p', { class: 'unseen' }, t('table.watching')) : null,
    ];
  }

  /** Worded differently for whoever asked. */
  _pauseRequest() {
    const { agreed } = this.table;
    if (this.seat !== null && agreed.includes(this.seat)) return t('table.askedPause');
    return t('table.wantsPause', { names: named(this.at, ...agreed), n: agreed.length });
  }

  _toggleLog() {
    this.log.open = !this.log.open;
    this.draw();
    if (this.log.open) this.log.focus();
    else /** @type {HTMLElement | null} */ (this.header.querySelector('[data-log]'))?.focus();
  }

  _drawLog() {
    const { events } = this, open = this.log.open && this.view !== null;
    if (open && !events.complete && !events.loading)
      events.load(() => this._lastSteps(LOG_STEPS)).then((loaded) => loaded && this._drawLog());
    this.log.draw(open ? { face: this.face, events: events.upTo(this.match.version), at: this.at, busy: events.loading } : null);
  }

  _toggleSound() {
    set({ sound: !get().sound });
    playSound('card');
    this._drawHeader();
  }

  // --- Dialogs ---

  async _showRules() {
    const { article } = await import('./rules.js');
    const { element, close } = await article(this.face.id);
    rulesDialog(t('rules.title', { game: t(`${this.face.id}.title`) }), element, close);
  }

  _showMatchResult() {
    const { view, table, id, token } = this;
    if (!view?.over || table.status !== 'over') return;
    const path = `/api/tables/${id}/matches/${table.number}/file`;
    if (this.celebrated !== table.number && this.played) celebrate(this.seat === null || view.winners.includes(this.seat));
    this.celebrated = table.number;
    finalDialog({
      view, table, id, at: this.at, lastRound: this.lastRound, lowest: this.lowest, picture: this.picture,
      rematch: () => this._rematch(),
      file: () => save(path, token ?? undefined, `${table.game}-${id}-${table.number}.json`).catch(({ code }) => this.notices.tell(refusal(code))),
    });
  }

  _whatIsWhat() {
    if (this.view) whatDialog(this.stage.about.all());
  }

  async _copyLink() {
    const { link } = this.invitation;
    if (await copy(link)) this.notices.tell(t('room.copied'));
    else linkDialog(link);
  }

  _showMenu() {
    const { table, seat } = this;
    menuDialog({
      table, seated: seat !== null, alone: seatsHere(this.id).length < 2,
      what: this.view ? () => this._whatIsWhat() : null,
      pause: () => this._request('pause'),
      result: () => this._showMatchResult(),
      copy: () => this._copyLink(),
      leave: () => askDialog(t('leave.ask'), t('menu.leave'), () => this._leave()),
    });
  }
}
