// A table: waiting for players, the match, its end and the way to a rematch.

import { token } from '../lib/address.js';
import { forgetDrawings, h, morph } from '../lib/dom.js';
import { ask, codeOf, offered, removeTable, save } from '../lib/api.js';
import { isHere, whenUnkept } from '../lib/device.js';
import { emblem, load } from '../lib/faces.js';
import { copy, invitation } from '../lib/invite.js';
import { moment } from '../lib/motion.js';
import { go } from '../lib/router.js';
import { buzz, playSound } from '../lib/sound.js';
import { forget, get, set } from '../lib/settings.js';
import { waitsFor } from '../lib/views.js';
import { named, number, readBy, t } from '../lib/words.js';
import { check } from '../table/checking.js';
import { askDialog, finalDialog, linkDialog, menuDialog, roundDialog, rulesDialog, whatDialog } from '../table/dialogs.js';
import { cover, tokenOf } from '../table/handover.js';
import { header } from '../table/header.js';
import { LogPanel } from '../table/log.js';
import { Notices } from '../table/notices.js';
import { celebrate } from '../table/party.js';
import { roundResult } from '../table/results.js';
import { waitingRoom } from '../table/room.js';
import { Session } from '../table/session.js';
import { Stage } from '../table/stage.js';
import { counted, lines, refusal } from '../table/words.js';
import { alert, bar } from './parts.js';

const DEAL = /** @type {import('../types').Happening} */ ({ kind: 'dealt', seat: -1 }); // the first, which is no event
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
const UNKEPT_SHOWN = 12_000; // milliseconds
const RESULT_TIMEOUT = 6000; // milliseconds that a round's result may hold up a table with a clock

/** @type {import('../lib/router.js').Screen} */
export default async function tableScreen(root, id = '') {
  try {
    const [table, games] = await Promise.all([ask(`/api/tables/${encodeURIComponent(id)}`), offered()]);
    const module = await load(table.game);
    const screen = new TableScreen(root, id, table, module, games, await emblem(table.game));
    screen.begin();
    return () => screen.close();
  } catch (problem) {
    const code = codeOf(problem);
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
   * @param {import('../types').Table} table
   * @param {import('../types').GameModule} module
   * @param {import('../types').Offered} games what the server offers
   * @param {SVGElement} picture
   */
  constructor(root, id, table, module, games, picture) {
    this.module = module;
    this.face = module.default;
    this.reactions = games.reactions;
    this.invitation = invitation(games, id);
    const game = games.games.find((one) => one.id === table.game);
    this.lowest = game?.lowest_wins ?? false;
    this.levels = game?.levels ?? [];
    this.picture = picture;
    this.session = new Session(id, table, {
      message: (message) => this._handle(message),
      state: (state) => this._stateChanged(state),
      refused: (code) => this.notices.tell(refusal(code)),
    });
    /** @type {number | null} */
    this.coveredFor = null; // the seat whose hand stays covered until its player has the device
    this.recapDue = false;
    this.leaving = false;
    this.played = false; // whether a move was seen here: a match that was only looked up is not celebrated
    this.celebrated = 0; // the number of the match
    /** @type {{match: number, element: HTMLElement | null}} */
    this.checked = { match: 0, element: null }; // what this device says of the shuffle
    /** @type {number | null} */
    this.ending = null; // the round whose result is on show, while the next is already dealt
    this.hurried = 0; // the round in which the bots were told to hurry
    this.thinking = false; // whether a hint is on its way
    this.undoing = false; // whether a move is being taken back
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
    const stage = new Stage(this.main, this.module, (action) => this.session.move(action));
    stage.catchUp = () => this._catchUp();
    stage.about.asked = () => this._whatIsWhat();
    return stage;
  }

  begin() {
    this._drawHeader();
    if (isHere(this.session.id)) whenUnkept((why) => this.notices.tell(t(`unkept.${why}`), UNKEPT_SHOWN));
    const given = token(); // a link with one is somebody's own
    const { session } = this, { id, table, here } = session, [first] = here;
    if (given) session.connect(given);
    else if (here.length > 1 && first !== undefined && table.status === 'playing') {
      // Find out whose turn it is before anybody's cards are shown.
      if (table.watch) session.connect(null);
      else this._cover(first);
    }
    else if (first !== undefined) session.connect(tokenOf(id, first));
    else if (table.status === 'open' && !table.watch) this.draw();
    else session.connect(null);
  }

  close() {
    clearInterval(this.ticking);
    this.log.close();
    this.session.close();
    this.stage.close();
    document.querySelectorAll('dialog').forEach((dialog) => dialog.remove());
    readBy(get().pronoun || null);
  }

  // --- Messages from the server ---

  /** @param {import('../types').Message} message */
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

  /** @param {import('../types').Welcome} message */
  async _welcome(message) {
    this.session.welcome(message);
    this._tableChanged(message.table);
    if (message.match) await this._matchChanged(message.match);
    else this.draw();
    if (this.session.table.status === 'over') this._showMatchResult(); // it ended while nobody was here
  }

  /** @param {import('../types').Table} table */
  _tableChanged(table) {
    const ended = table.status === 'over' && this.session.table.status !== 'over';
    this.session.setTable(table);
    this.draw();
    if (ended || document.querySelector('dialog.final')) this._showMatchResult();
  }

  /** @param {import('../types').Match} match */
  async _matchChanged(match) {
    // Bots may have made a few moves before we saw anything: that still counts as seeing the deal.
    const { session } = this, before = session.match;
    const dealt = before ? before.number !== match.number : match.version <= match.view.players;
    session.setMatch(match);
    const dropped = this.stage.dropAdvance(); // after an undo or a reconnection, the table may be another one
    if (before?.number !== match.number) {
      this.announcer.replaceChildren();
      this.hurried = 0;
      document.querySelector('dialog.final')?.remove();
    }
    if (this._passOn()) return;
    this.draw();
    if (dropped && !this.stage.inTurn) this.stage.complain(t('advance.off'));
    if (dealt && session.view) await this.stage.play(session.view, this._around(), [DEAL]);
    if (this.recapDue) this._recap();
  }

  /** @param {import('../types').Update} message */
  async _update(message) {
    const before = this.session.view, { events } = message;
    if (!before || !this.session.match) return;
    const view = this._apply(message);
    this.played = true;
    this._drawHeader();
    const next = events.findIndex((event) => event.kind === 'dealt');
    const result = roundResult(this.face, events, this.session.at, before, this.lowest);
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

  /** Takes in an update: screen readers hear of it at once, others see it when it is played. @param {import('../types').Update} message */
  _apply(message) {
    const view = this.session.update(message);
    const text = lines(this.face, message.events, this.session.at).map((line) => line.text).join(' ');
    this.announcer.replaceChildren(h('p', {}, text));
    return view;
  }

  /**
   * @param {import('../types').View} view
   * @param {import('../types').Happening[]} events
   */
  async _play(view, events) {
    if (view !== this.session.view) return; // a tap has already brought the table up to date
    const paced = this.module.paced?.(view) ?? false;
    if (this.session.backlog > BACKLOG && !paced) this.stage.show(view, this._around());
    else await this.stage.play(view, this._around(), events);
    if (paced && !view.over && !waitsFor(view, this.session.seat)) await moment(PACE);
  }

  /** Shows at once whatever has arrived, up to the end of a round. */
  _catchUp() {
    for (let move = this.session.takeMove(); move; move = this.session.takeMove()) {
      this.stage.show(this._apply(move), this._around());
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
    await (this.session.table.clock === null ? closed : Promise.race([closed, timeout()]));
    this.ending = null;
    this._drawHeader();
  }

  /** A player who is out of the round need not sit through it. @param {number | string} moved who has just moved */
  _hurryBots(moved) {
    const { view, seat } = this.session;
    if (!view || seat === null || moved === seat || view.over || !this.module.out?.(view, seat)) return;
    if (this.hurried === view.round) return;
    this.hurried = view.round; // never right after one's own move, which may still be taken back
    this.session.connection?.request('hurry');
  }

  /** Buzzes and chimes when it becomes one's turn. @param {import('../types').View} before */
  _announceTurn(before) {
    const { view, seat } = this.session;
    if (!view || seat === null || !waitsFor(view, seat) || waitsFor(before, seat)) return;
    buzz();
    playSound('turn');
  }

  /** @param {number} seat */
  _undone(seat) {
    this.notices.tell(seat === this.session.seat ? t('table.undoneYou') : t('table.undone', { name: named(this.session.at, seat) }));
  }

  /** @param {{seat: number, reaction: string}} message */
  _showReaction(message) {
    playSound('reaction');
    this.stage.reactions.set(message.seat, t(`reaction.${message.reaction}`));
    this.stage.draw();
    setTimeout(() => {
      this.stage.reactions.delete(message.seat);
      this.stage.draw();
    }, REACTION);
  }

  /** @param {import('../types').Refusal} message */
  async _refused(message) {
    if (this.session.state === 'gone' || !this.session.view) this.notices.tell(refusal(message.code));
    else await this.stage.complain(refusal(message.code));
  }

  /** @param {import('../lib/connection.js').State} state */
  _stateChanged(state) {
    this.notices.draw();
    if (state === 'gone' && !this.session.view) this.draw();
  }

  // --- What people do ---

  async _askForHint() {
    const { session } = this, { connection } = session;
    if (this.thinking || !session.view) return;
    this.thinking = true;
    this._drawHeader();
    this.notices.tell(t('hint.thinking'), HINT_TIMEOUT);
    const slow = setTimeout(() => this.notices.tell(t('hint.first'), HINT_TIMEOUT), SLOW_HINT);
    const answer = await connection?.request('hint');
    clearTimeout(slow);
    this.thinking = false;
    this._drawHeader();
    if (connection !== session.connection) return; // the device has been passed on
    if (answer?.type === 'hint') session.receive(answer); // in turn, behind what came before it
    else this.notices.tell(refusal(answer?.type === 'error' ? answer.code : 'offline'));
  }

  /** @param {import('../types').Hint} answer */
  _showHint(answer) {
    if (answer.version !== this.session.match?.version) {
      this.notices.tell(t('hint.late'));
      return;
    }
    const [best] = answer.best;
    const offer = this.stage.offers.find((one) => one.action === best?.action);
    this.stage.hint = offer?.action ?? null;
    this.stage.draw();
    const { learned } = answer;
    const percent = (/** @type {number | null | undefined} */ share) => number(Math.round(100 * (share ?? 0)));
    const found = { what: this._hinted(best?.action), chance: percent(best?.chance), liking: percent(learned?.liking), here: percent(best?.liking) };
    const line = !learned ? t('hint.line', found) : learned.action === best?.action ? t('hint.same', found)
      : t('hint.other', { ...found, other: this._hinted(learned.action) });
    this.notices.tell(line, HINT_SHOWN);
  }

  /** An action in words. @param {string | null | undefined} action */
  _hinted(action) {
    const offer = this.stage.offers.find((one) => one.action === action);
    if (!offer) return t('hint.wait');
    const card = offer.on.startsWith('hand:') ? this.face.cardName(offer.on.slice(5)) : '';
    return offer.label.includes(card) ? offer.label : `${card}: ${offer.label}`;
  }

  async _undo() {
    this.undoing = true;
    this._drawHeader();
    await this.session.request('undo', { version: this.session.match?.version });
    this.undoing = false;
    this._drawHeader();
  }

  async _rematch() {
    await this.session.requestForOthers('rematch');
    const answer = await this.session.request('rematch');
    if (answer?.type === 'error') this._showMatchResult();
  }

  async _leave() {
    this.leaving = true; // the server now counts us as a spectator: do not cover the hand for that
    const left = await this.session.leave();
    this.leaving = false;
    if (left) go('/');
  }

  /** A match on this device is nowhere else: whoever leaves it for good deletes it. */
  async _delete() {
    const { id } = this.session;
    this.session.close();
    await removeTable(id).catch(() => null); // another tab was quicker
    forget(id);
    await go('/');
  }

  /** @param {string} name @param {'' | 'he' | 'she'} pronoun */
  async _join(name, pronoun) {
    await this.session.join(name, pronoun);
    this.draw();
  }

  // --- Several people on one device ---

  /** Covers the hand if it is the turn of somebody else here; whether it did. */
  _passOn() {
    const { view, seat } = this.session;
    if (!view || view.over || this.leaving || (seat !== null && view.waiting.includes(seat))) return false;
    const next = this.session.here.find((one) => view.waiting.includes(one));
    if (next === undefined) return false;
    this._cover(next);
    return true;
  }

  /** Nothing of the previous hand stays on the page, nor in its memory. @param {number} seat */
  _cover(seat) {
    this.session.forget();
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
    this.session.connect(tokenOf(this.session.id, seat));
  }

  /** Tells whoever has just got the device what happened since their last move. */
  async _recap() {
    this.recapDue = false;
    const { session } = this, steps = await session.lastSteps(RECAP_STEPS);
    const own = steps.findLastIndex((step) => step.seat === session.seat);
    const events = steps.slice(own + 1).flatMap((step) => step.events);
    const recap = lines(this.face, events, session.at).slice(-RECAP_LINES).map(counted);
    if (recap.length) this.notices.tell(recap.join(' '), RECAP_SHOWN);
  }

  // --- Drawing ---

  /** @returns {import('../table/stage.js').Around} */
  _around() {
    const { session } = this, { here, seat, clock } = session;
    const seats = session.table.seats.map((chair, n) => (here.includes(n) ? { ...chair, here: true } : chair));
    const table = { ...session.table, seats }; // people at this device are never "away"
    const live = seat !== null && table.status === 'playing' && session.state !== 'gone';
    const react = live ? { all: this.reactions, send: (/** @type {string} */ reaction) => session.request('react', { reaction }) } : null;
    return { table, at: session.at, version: session.match?.version ?? 0, seconds: clock.left, live, react };
  }

  draw() {
    const { view, table, state } = this.session;
    this._drawFrame();
    if (this.coveredFor !== null) this._drawCover(this.coveredFor);
    else if (table.status === 'open') this._drawRoom();
    else if (view) {
      if (!this.main.querySelector('.board')) this.main.replaceChildren();
      this.stage.show(view, this._around());
    } else if (state === 'gone') this.main.replaceChildren(deadEnd(t('table.none'), 'div'));
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
    this.main.replaceChildren(cover({ name: named(this.session.at, seat), tiles: this.face.tiles ?? false, picture, uncover: () => this._uncover() }));
    this.main.querySelector('button')?.focus();
  }

  _drawRoom() {
    const { session } = this, { name, pronoun, level } = get();
    const wanted = waitingRoom({
      table: session.table, seat: session.seat, id: session.id, invitation: this.invitation, name, pronoun, level,
      levels: this.levels,
      join: (name, pronoun) => this._join(name, pronoun),
      fill: (level) => session.request('fill', { level }),
      seed: (seed) => session.request('seed', { seed }).then((answer) => answer?.type === 'ok' && this.notices.tell(t('room.seeded'))),
      leave: () => this._leave(),
      tell: (text) => this.notices.tell(text),
      picture: this.picture.cloneNode(true),
    });
    const there = this.main.querySelector('.waiting-room');
    if (there) morph(there, wanted);
    else this.main.replaceChildren(wanted);
  }

  _drawHeader() {
    const { session } = this, { view, match, table, seat } = session;
    const shown = view !== null && this.coveredFor === null;
    const onlyBots = table.seats.every((chair, n) => n === seat || chair.kind === 'bot' || chair.left);
    const title = t(`${this.face.id}.title`);
    const myTurn = shown && seat !== null && view.waiting.includes(seat);
    document.title = `${myTurn ? '● ' : ''}${title} · ${t('app.name')}`; // seen from another tab
    morph(this.header, header({
      title,
      round: shown ? (this.ending ?? view.round) : null,
      watching: shown && seat === null,
      clock: this._clockText(),
      has: { undo: shown && seat !== null && table.undo, hint: shown && seat !== null && onlyBots },
      undo: shown && match?.undo && !this.undoing ? () => this._undo() : null,
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
    const { table, clock } = this.session;
    return table.status === 'playing' ? clock.text : '';
  }

  _tick() {
    const shown = this.header.querySelector('.clock'), text = this._clockText();
    if (!shown || shown.textContent === text) return;
    shown.textContent = text;
    shown.classList.toggle('late', this.session.clock.late);
  }

  /** @param {string} told */
  _notices(told) {
    const { session } = this, { table, seat } = session;
    const resume = () => h('button', { type: 'button', class: 'button small', onclick: () => session.request('resume') }, t('menu.resume'));
    return [
      session.state === 'lost' ? h('p', { class: 'notice lost' }, t('table.lost')) : null,
      told ? h('p', { class: 'notice' }, told) : null,
      !told && table.status === 'playing' && table.agreed.length ? h('p', { class: 'notice' }, this._pauseRequest()) : null,
      table.status === 'paused' ? h('p', { class: 'notice' }, t('table.paused'), ' ', seat === null ? null : resume()) : null,
      !told && session.view && seat === null && this.coveredFor === null ? h('p', { class: 'unseen' }, t('table.watching')) : null,
    ];
  }

  /** Worded differently for whoever asked. */
  _pauseRequest() {
    const { table: { agreed }, seat, at } = this.session;
    if (seat !== null && agreed.includes(seat)) return t('table.askedPause');
    return t('table.wantsPause', { names: named(at, ...agreed), n: agreed.length });
  }

  _toggleLog() {
    this.log.open = !this.log.open;
    this.draw();
    if (this.log.open) this.log.focus();
    else /** @type {HTMLElement | null} */ (this.header.querySelector('[data-log]'))?.focus();
  }

  _drawLog() {
    const { session } = this, { events } = session, open = this.log.open && session.view !== null;
    if (open && !events.complete && !events.loading)
      events.load(() => session.lastSteps(LOG_STEPS)).then((loaded) => loaded && this._drawLog());
    this.log.draw(open && session.match ? { face: this.face, events: events.upTo(session.match.version), at: session.at, busy: events.loading } : null);
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
    const { view, table, id, token, seat, at } = this.session;
    if (!view?.over || table.status !== 'over') return;
    const path = `/api/tables/${id}/matches/${table.number}/file`;
    this._check(path);
    if (this.celebrated !== table.number && this.played) celebrate(seat === null || view.winners.includes(seat));
    this.celebrated = table.number;
    finalDialog({
      view, table, id, at, lastRound: this.lastRound, lowest: this.lowest, picture: this.picture, check: this.checked.element,
      rematch: () => this._rematch(),
      file: () => save(path, token ?? undefined, `${table.game}-${id}-${table.number}.json`).catch(({ code }) => this.notices.tell(refusal(code))),
    });
  }

  /** A live match is checked once, when it is over. @param {string} path of its file */
  _check(path) {
    const { table, token, at, witness } = this.session;
    if (this.checked.match === table.number) return;
    const told = witness?.testimony(table.number);
    this.checked = { match: table.number, element: told ? check({ path, token, told, face: this.face, at }) : null };
  }

  _whatIsWhat() {
    if (this.session.view) whatDialog(this.stage.about.all());
  }

  async _copyLink() {
    const { link } = this.invitation;
    if (await copy(link)) this.notices.tell(t('room.copied'));
    else linkDialog(link);
  }

  _showMenu() {
    const { session } = this;
    menuDialog({
      table: session.table, seated: session.seat !== null, alone: session.here.length < 2,
      what: session.view ? () => this._whatIsWhat() : null,
      pause: () => session.request('pause'),
      result: () => this._showMatchResult(),
      copy: isHere(session.id) ? null : () => this._copyLink(),
      ...(isHere(session.id)
        ? { leaving: t('lobby.delete'), leave: () => askDialog(t('lobby.deleteAsk'), t('lobby.delete'), () => this._delete()) }
        : { leaving: t('menu.leave'), leave: () => askDialog(t('leave.ask'), t('menu.leave'), () => this._leave()) }),
    });
  }
}
