// A table: waiting for others, playing, the end and the way to a rematch.

import { forgetDrawings, h, morph } from '../lib/dom.js';
import { ask, join, offered, save } from '../lib/api.js';
import { emblem, load } from '../lib/faces.js';
import { copy, invitation } from '../lib/invite.js';
import { Live } from '../lib/live.js';
import { moment } from '../lib/motion.js';
import { go } from '../lib/router.js';
import { buzz, play as sound } from '../lib/sound.js';
import { forget, get, keep, keepToken, set, table as kept } from '../lib/settings.js';
import { named, number, readBy, t } from '../lib/words.js';
import { Clock } from '../table/clock.js';
import { askDialog, finalDialog, linkDialog, menuDialog, roundDialog, rulesDialog, whatDialog } from '../table/dialogs.js';
import { header } from '../table/header.js';
import { log } from '../table/log.js';
import { celebrate } from '../table/party.js';
import { roundResult } from '../table/results.js';
import { Stage } from '../table/stage.js';
import { counted, lines, refusal, seating } from '../table/words.js';
import { waitingRoom } from '../table/room.js';
import { alert, bar } from './parts.js';

const MOST_STEPS = 400; // of the log, kept here
const HURRY = 4; // messages that wait: then cards do not travel
const EACH = 650; // milliseconds to look at a move where a turn may be many; a tap ends it
const SPOKEN = 4000; // milliseconds that a reaction is to be seen
const SLOW = 1500; // milliseconds after which a hint is late: then search is not ready yet
const PATIENT = 120_000; // milliseconds that one is told to wait
const TICK = 500; // milliseconds between looks at the clock
const DOCK = window.matchMedia('(min-width: 1200px) and (min-height: 600px)'); // room for the log beside the table
const RECAP = 12; // moves that are told to who gets the device
const STEPS = 120; // moves that the log goes back after the page was loaded again
const LOOK = 6000; // milliseconds that a round's result holds up a table with a clock

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
    root.append(bar(t('table.title')), h('main', { class: 'page narrow' },
      alert(code === 'not_found' ? t('table.none') : refusal(code)),
      h('p', {}, h('a', { class: 'button', href: '/' }, t('nav.lobby')))));
  }
}

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
    /** @type {Map<number, import('../types').Happening[]>} */
    this.heard = new Map(); // what happened, by version
    this.whole = false; // whether the log goes back to the deal
    /** @type {any[]} */
    this.queue = [];
    this.running = false;
    /** @type {import('../lib/live.js').State} */
    this.state = 'connecting';
    /** @type {Live | null} */
    this.live = null;
    /** @type {number | null} */
    this.coveredFor = null; // the seat whose hand is covered until somebody says "it is me"
    this.drawerOpen = false;
    /** @type {object | null} */
    this.reading = null; // while the log is asked for
    this.leaving = false;
    this.recap = false;
    this.played = false; // whether a move was seen here: a match that is only looked up is not celebrated
    this.celebrated = 0; // the number of the match
    /** @type {number | null} */
    this.ending = null; // the round whose end is looked at, while the next has been dealt
    this.hurried = 0; // the round in which the others were told not to wait
    this.clock = new Clock();
    this.thinking = false; // whether a hint is on its way
    this.header = h('header', { class: 'bar' });
    this.notice = h('div', { class: 'notices', role: 'status' });
    this.main = h('main', { class: 'stage', style: { display: 'contents' } });
    this.side = h('div', { class: 'log-side' });
    this.spoken = h('div', { class: 'unseen', 'aria-live': 'polite', role: 'log' });
    root.classList.add('table-screen', `game-${this.face.id}`);
    root.append(this.header, this.notice, this.main, this.side, this.spoken);
    this.root = root;
    this.stage = this._newStage();
    this.stage.eager = true;
    this.escape = (/** @type {KeyboardEvent} */ event) => event.key === 'Escape' && this.drawerOpen && this._toggleLog();
    document.addEventListener('keydown', this.escape);
    this.redock = () => this.draw();
    DOCK.addEventListener('change', this.redock);
    this.tick = setInterval(() => this._tick(), TICK);
  }

  begin() {
    this._header();
    const given = location.hash.slice(1); // a link with a token is one's own
    const seats = this._locals();
    const [first] = seats;
    if (given) this.connect(given);
    else if (seats.length > 1 && first !== undefined && this.table.status === 'playing') {
      // First to see who is waited for, without anybody's cards.
      if (this.table.watch) this.connect(null);
      else this._cover(first);
    }
    else if (first !== undefined) this.connect(this._token(first));
    else if (this.table.status === 'open' && !this.table.watch) this.draw();
    else this.connect(null);
  }

  close() {
    clearInterval(this.tick);
    document.removeEventListener('keydown', this.escape);
    DOCK.removeEventListener('change', this.redock);
    this.live?.close();
    this.stage.close();
    document.querySelectorAll('dialog').forEach((dialog) => dialog.remove());
    readBy(get().pronoun || null);
  }

  _newStage() {
    const stage = new Stage(this.main, this.module, (action) => this._move(action));
    stage.catchUp = () => this._catchUp();
    stage.about.asked = () => this._what();
    return stage;
  }

  /** Seats of people on this device. */
  _locals() {
    return Object.keys(kept(this.id)?.tokens ?? {}).map(Number).sort((a, b) => a - b);
  }

  /** @param {number} seat */
  _token(seat) {
    return kept(this.id)?.tokens[seat] ?? null;
  }

  /** @param {string | null} token */
  connect(token) {
    this.live?.close();
    this.queue = [];
    this.token = token;
    this.live = new Live(this.id, token, (message) => this._hear(message), (state) => this._changed(state));
  }

  // --- What the server says ---

  /** @param {any} message */
  async _hear(message) {
    this.queue.push(message);
    if (this.running) return;
    this.running = true;
    try {
      while (this.queue.length) await this._take(this.queue.shift());
    } finally {
      this.running = false;
    }
  }

  /** @param {any} message */
  async _take(message) {
    switch (message.type) {
      case 'welcome': return this._welcome(message);
      case 'table': return this._tableChanged(message.table);
      case 'match': return this._matchChanged(message.match);
      case 'update': return this._update(message);
      case 'undone': return this._tell(message.seat === this.seat ? t('table.undoneYou') : t('table.undone', { name: named(this.at, message.seat) }));
      case 'reaction': return this._react(message);
      case 'error': return this._refused(message);
      case 'hint': return this._hinted(message);
    }
  }

  /** @param {any} message */
  async _welcome(message) {
    this.whole = false; // something may have happened while the line was cut
    this.reading = null;
    this.seat = message.seat;
    readBy(this.seat === null ? get().pronoun || null : message.table.seats[this.seat].pronoun); // several may be here
    if (this.seat !== null && this.token) keepToken(this.id, this.seat, this.token);
    history.replaceState(history.state, '', location.pathname); // only now: whoever was cut off before this needs the token still
    keep(this.id, { game: this.table.game, names: this._people(message.table) });
    this._tableChanged(message.table);
    if (message.match) await this._matchChanged(message.match);
    else this.draw();
    if (this.table.status === 'over') this._final(); // it ended while nobody was here
  }

  /** @param {any} table */
  _people(table) {
    return table.seats.filter((/** @type {any} */ one) => one.kind === 'person').map((/** @type {any} */ one) => one.name);
  }

  /** @param {any} table */
  _tableChanged(table) {
    const over = table.status === 'over' && this.table.status !== 'over';
    this.table = table;
    this.clock.set(table.status === 'playing' ? table.seconds : null);
    if (table.status === 'over') keep(this.id, { matches: table.number });
    this.draw();
    if (over || document.querySelector('dialog.final')) this._final();
  }

  /** @param {any} match */
  async _matchChanged(match) {
    // Seen from the start, or almost: bots may have been quick.
    const dealt = this.match ? this.match.number !== match.number : match.version <= match.view.players;
    if (this.match?.number !== match.number) {
      this.heard.clear();
      this.whole = match.view.round === 1 && this.match !== null;
      this.spoken.replaceChildren();
      this.hurried = 0;
      document.querySelector('dialog.final')?.remove();
    }
    this.match = match;
    this.view = match.view;
    if (this._passOn()) return;
    this.draw();
    if (dealt && this.view) await this.stage.play(this.view, this._around(), [{ kind: 'dealt', seat: -1 }]);
    if (this.recap) this._recap();
  }

  /** @param {any} message */
  async _update(message) {
    if (!this.view || !this.match) return;
    const before = this.view, { events } = message;
    const view = this._fold(message);
    this.played = true;
    this._header();
    const next = events.findIndex((/** @type {any} */ event) => event.kind === 'dealt');
    const result = roundResult(this.face, events, this.at, before, this.lowest);
    if (result && !view.over && next >= 0) {
      await this._endRound(before, events.slice(0, next), result);
      this._callUpon(before);
      await this._play(view, events.slice(next));
    } else {
      if (result) this.lastRound = result;
      this._callUpon(before);
      await this._play(view, events);
    }
    if (!this._passOn()) this._frame();
    this._hurry(message.seat);
  }

  /** What an update changes, without showing it. @param {any} message @returns {import('../types').View} */
  _fold(message) {
    this.view = /** @type {import('../types').View} */ ({ ...this.view, ...message.changes });
    this.match = { ...this.match, version: message.version, undo: message.undo };
    this.clock.set(message.seconds);
    this.heard.set(message.version, message.events);
    if (this.heard.size > MOST_STEPS) this.heard.delete(Math.min(...this.heard.keys()));
    const said = lines(this.face, message.events, this.at).map(({ text }) => text).join(' ');
    this.spoken.replaceChildren(h('p', {}, said));
    return this.view;
  }

  /**
   * @param {import('../types').View} view
   * @param {import('../types').Happening[]} events
   */
  async _play(view, events) {
    if (view !== this.view) return; // a tap has brought the table up to date meanwhile
    const paced = this.module.paced?.(view) ?? false;
    if (this.queue.length > HURRY && !paced) this.stage.show(view, this._around());
    else await this.stage.play(view, this._around(), events);
    if (paced && !view.over && !view.waiting.includes(this.seat)) await moment(EACH);
  }

  /** Shows at once what has arrived, up to the end of a round. */
  _catchUp() {
    while (this.queue[0]?.type === 'update' && this.view && this.match && !this.queue[0].events.some(endsRound)) {
      this.stage.show(this._fold(this.queue.shift()), this._around());
      this._header();
    }
  }

  /**
   * The table stays as the round has ended until somebody has looked at the result.
   * @param {import('../types').View} before
   * @param {import('../types').Happening[]} events
   * @param {HTMLElement} result
   */
  async _endRound(before, events, result) {
    const ended = this.module.ended?.(before, events) ?? { ...before, legal: [], waiting: [] };
    const around = { ...this._around(), live: false };
    this.ending = before.round;
    this._header();
    await this.stage.play(ended, around, events);
    await this._result(result);
    this.ending = null;
    this._header();
  }

  /** Who is out of the round does not want to wait for its end. @param {number | string} moved who has just moved */
  _hurry(moved) {
    const { view, seat } = this;
    if (!view || seat === null || moved === seat || view.over || !this.module.out?.(view, seat)) return;
    if (this.hurried === view.round) return;
    this.hurried = view.round; // not at once: whoever has just stopped may still take it back
    this.live?.say('hurry');
  }

  /** It has become one's turn: a phone in the hand says so. @param {import('../types').View} before */
  _callUpon(before) {
    const { view, seat } = this;
    if (!view || seat === null || !view.waiting.includes(seat) || before.waiting.includes(seat)) return;
    buzz();
    sound('turn');
  }

  /** @param {any} message */
  _react(message) {
    sound('reaction');
    this.stage.said.set(message.seat, t(`reaction.${message.reaction}`));
    this.stage.draw();
    setTimeout(() => {
      this.stage.said.delete(message.seat);
      this.stage.draw();
    }, SPOKEN);
  }

  /** @param {any} message */
  async _refused(message) {
    if (this.state === 'gone' || !this.view) this._tell(refusal(message.code));
    else await this.stage.complain(refusal(message.code));
  }

  /** @param {import('../lib/live.js').State} state */
  _changed(state) {
    this.state = state;
    this._notices();
    if (state === 'gone' && !this.view) this.draw();
  }

  // --- What people do ---

  /** @param {string} action */
  _move(action) {
    if (!this.live || !this.match || this.live.busy) return false;
    this.live.move(this.match.version, action);
    return true;
  }

  /**
   * @param {string} type
   * @param {Record<string, unknown>} [more]
   */
  async _say(type, more) {
    const { live } = this;
    const answer = await live?.say(type, more);
    // Where the device is passed on meanwhile the connection is closed: nothing went wrong.
    if (answer?.type === 'error' && live === this.live) this._tell(refusal(answer.code));
    return answer;
  }

  async _hint() {
    if (this.thinking || !this.view) return;
    this.thinking = true;
    this._header();
    this._tell(t('hint.thinking'), PATIENT);
    const slow = setTimeout(() => this._tell(t('hint.first'), PATIENT), SLOW);
    const { live } = this;
    const answer = await live?.say('hint');
    clearTimeout(slow);
    this.thinking = false;
    this._header();
    if (live !== this.live) return; // the device has been passed on
    if (answer?.type === 'hint') this._hear(answer); // after what came before it
    else this._tell(refusal(answer?.code ?? 'offline'));
  }

  /** @param {any} answer */
  _hinted(answer) {
    if (answer.version !== this.match?.version) {
      this._tell(t('hint.late'));
      return;
    }
    const [best] = answer.best;
    const offer = this.stage.offers.find((one) => one.action === best?.action);
    this.stage.hint = offer?.action ?? null;
    this.stage.draw();
    const card = offer?.on.startsWith('hand:') ? this.face.cardName(offer.on.slice(5)) : '';
    const what = offer ? (offer.label.includes(card) ? offer.label : `${card}: ${offer.label}`) : t('hint.wait');
    this._tell(t('hint.line', { what, chance: number(Math.round(100 * (best?.chance ?? 0))) }), 8000);
  }

  async _rematch() {
    await this._sayForOthers('rematch');
    await this._say('rematch');
  }

  /** For the others on this device. @param {string} type */
  async _sayForOthers(type) {
    for (const seat of this._locals()) if (seat !== this.seat) await this._sayAs(seat, type);
  }

  /**
   * For somebody else on this device, whose hand is not shown.
   * @param {number} seat
   * @param {string} type
   * @returns {Promise<void>}
   */
  _sayAs(seat, type) {
    return new Promise((resolve) => {
      const other = new Live(this.id, this._token(seat), async (message) => {
        if (message.type !== 'welcome') return;
        await other.say(type);
        other.close();
        resolve();
      }, (state) => state === 'gone' && resolve());
    });
  }

  async _leave() {
    this.leaving = true; // who has left is shown as somebody who watches: not a seat to cover
    const answer = await this._say('leave');
    this.leaving = false;
    if (answer?.code === 'offline') return; // or nobody could come back
    await this._sayForOthers('leave');
    forget(this.id);
    go('/');
  }

  /** @param {string} name @param {'' | 'he' | 'she'} pronoun */
  async _join(name, pronoun) {
    try {
      const seated = await join(this.id, name, pronoun || null);
      set({ name, pronoun });
      keep(this.id, { game: this.table.game });
      keepToken(this.id, seated.seat, seated.token);
      this.connect(seated.token);
    } catch (problem) {
      this._tell(refusal(/** @type {any} */ (problem).code));
      this.table = await ask(`/api/tables/${encodeURIComponent(this.id)}`).catch(() => this.table); // who was quicker?
      if (this.table.status !== 'open') this.connect(null);
      this.draw();
    }
  }

  // --- Several people on one device ---

  /** Covers the hand if somebody else here is waited for; whether it did. */
  _passOn() {
    const { view, seat } = this;
    if (!view || view.over || this.leaving || (seat !== null && view.waiting.includes(seat))) return false;
    const next = this._locals().find((one) => view.waiting.includes(one));
    if (next === undefined) return false;
    this._cover(next);
    return true;
  }

  /** Nothing of the hand before stays on the page, nor in its memory. @param {number} seat */
  _cover(seat) {
    this.live?.close();
    this.live = null;
    this.queue = [];
    this.view = this.match = null;
    this.heard.clear();
    this.whole = false;
    this.reading = null;
    this.drawerOpen = false;
    this.spoken.replaceChildren();
    this.told = '';
    this.recap = false;
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
    this.recap = true;
    this.connect(this._token(seat));
  }

  /** Who gets the device is told what happened since the own last move. */
  async _recap() {
    this.recap = false;
    const steps = await this._steps(RECAP);
    const mine = steps.findLastIndex((/** @type {any} */ step) => step.seat === this.seat);
    const events = steps.slice(mine + 1).flatMap((/** @type {any} */ step) => step.events);
    const said = lines(this.face, events, this.at).slice(-4).map(counted);
    if (said.length) this._tell(said.join(' '), 9000);
  }

  // --- What is shown ---

  get at() {
    return seating(this.table, this.seat);
  }

  _around() {
    const { match } = this, here = this._locals();
    const seats = this.table.seats.map((/** @type {any} */ chair, /** @type {number} */ n) => (here.includes(n) ? { ...chair, here: true } : chair));
    const table = { ...this.table, seats }; // who sits at this device is not away
    const live = this.seat !== null && table.status === 'playing' && this.state !== 'gone';
    const react = live ? { all: this.reactions, send: (/** @type {string} */ reaction) => this._say('react', { reaction }) } : null;
    return { table, at: this.at, version: match?.version ?? 0, seconds: this.clock.left, live, react };
  }

  draw() {
    this._frame();
    if (this.coveredFor !== null) this._drawCover();
    else if (this.table.status === 'open') this._drawRoom();
    else if (this.view) {
      if (!this.main.querySelector('.board')) this.main.replaceChildren();
      this.stage.show(this.view, this._around());
    } else if (this.state === 'gone') {
      this.main.replaceChildren(h('div', { class: 'page narrow' }, alert(t('table.none')),
        h('p', {}, h('a', { class: 'button', href: '/' }, t('nav.lobby')))));
    }
  }

  /** What is around the table: its line of buttons, notices and the log. */
  _frame() {
    this._header();
    this._notices();
    this._drawer();
  }

  _drawCover() {
    const name = named(this.at, this.coveredFor ?? 0);
    this.main.replaceChildren(h('div', { class: 'cover' }, this.picture.cloneNode(true),
      h('h2', {}, t('pass.to', { name })), h('p', {}, t(this.face.tiles ? 'pass.help.tiles' : 'pass.help')),
      h('button', { type: 'button', class: 'button', 'data-uncover': true, onclick: () => this._uncover() }, t(this.face.tiles ? 'pass.me.tiles' : 'pass.me', { name }))));
    /** @type {HTMLElement} */ (this.main.querySelector('button')).focus();
  }

  _drawRoom() {
    const wanted = waitingRoom({
      table: this.table, seat: this.seat, id: this.id, invitation: this.invitation, name: get().name || '', pronoun: get().pronoun, level: get().level,
      join: (name, pronoun) => this._join(name, pronoun),
      fill: (level) => this._say('fill', { level }),
      seed: (seed) => this._say('seed', { seed }).then((answer) => answer?.type === 'ok' && this._tell(t('room.seeded'))),
      leave: () => this._leave(),
      told: (text) => this._tell(text),
      picture: this.picture.cloneNode(true),
    });
    const there = this.main.querySelector('.waiting-room');
    if (there) morph(there, wanted);
    else this.main.replaceChildren(wanted);
  }

  _header() {
    const { view, table, seat } = this;
    const shown = view !== null && this.coveredFor === null;
    const bots = table.seats.every((/** @type {any} */ chair, /** @type {number} */ n) => n === seat || chair.kind === 'bot' || chair.left);
    const title = t(`${this.face.id}.title`);
    const mine = shown && seat !== null && view.waiting.includes(seat);
    document.title = `${mine ? '● ' : ''}${title} · ${t('app.name')}`; // for who looks at another tab meanwhile
    morph(this.header, header({
      title,
      round: shown ? (this.ending ?? view.round) : null,
      watching: shown && seat === null,
      clock: table.status === 'playing' ? this.clock.text : '',
      has: { undo: shown && seat !== null && table.undo, hint: shown && seat !== null && bots },
      undo: shown && this.match?.undo ? () => this._say('undo', { version: this.match.version }) : null,
      hint: shown && view.legal.length > 0 && table.status === 'playing' && !this.thinking ? () => this._hint() : null,
      log: shown ? () => this._toggleLog() : null,
      logOpen: this.logOpen,
      rules: () => this._rules(),
      sound: get().sound,
      mute: () => {
        set({ sound: !get().sound });
        sound('card');
        this._header();
      },
      menu: () => this._menu(),
    }));
  }

  async _rules() {
    const { article } = await import('./rules.js');
    const { element, close } = await article(this.face.id);
    rulesDialog(t('rules.title', { game: t(`${this.face.id}.title`) }), element, close);
  }

  _notices() {
    const { table } = this;
    const texts = [
      this.state === 'lost' ? h('p', { class: 'notice lost' }, t('table.lost')) : null,
      this.told ? h('p', { class: 'notice' }, this.told) : null,
      !this.told && table.status === 'playing' && table.agreed.length ? h('p', { class: 'notice' }, this._pauseAsked()) : null,
      table.status === 'paused'
        ? h('p', { class: 'notice' }, t('table.paused'), ' ',
          this.seat === null ? null
            : h('button', { type: 'button', class: 'button small', onclick: () => this._say('resume') }, t('menu.resume'))) : null,
      !this.told && this.view && this.seat === null && this.coveredFor === null ? h('p', { class: 'unseen' }, t('table.watching')) : null,
    ];
    morph(this.notice, h('div', { class: 'notices', role: 'status' }, texts));
  }

  /** Who asked for a pause is not told that somebody did. */
  _pauseAsked() {
    const { agreed } = this.table;
    if (this.seat !== null && agreed.includes(this.seat)) return t('table.askedPause');
    return t('table.wantsPause', { names: named(this.at, ...agreed), n: agreed.length });
  }

  /** @param {string} text @param {number} [ms] */
  _tell(text, ms = 4000) {
    this.told = text;
    this._notices();
    clearTimeout(this.tellTimer);
    this.tellTimer = setTimeout(() => {
      this.told = '';
      this._notices();
    }, ms);
  }

  /** Beside the table the log is open until it is closed on this device; over it, while it is looked at. */
  get logOpen() {
    return DOCK.matches ? get().log : this.drawerOpen;
  }

  _toggleLog() {
    const open = !this.logOpen;
    if (DOCK.matches) set({ log: open });
    else this.drawerOpen = open;
    this.draw();
    if (this.logOpen) /** @type {HTMLElement | null} */ (this.side.querySelector('button'))?.focus();
    else /** @type {HTMLElement | null} */ (this.header.querySelector('[data-log]'))?.focus();
  }

  /** What happened before the page was loaded. */
  async _readLog() {
    const mine = (this.reading = {});
    const steps = await this._steps(STEPS);
    if (this.reading !== mine) return; // the device was passed on meanwhile
    this.reading = null;
    this.whole = true;
    for (const { version, events } of steps) this.heard.set(version, events);
    this._drawer();
  }

  /** What happened, as far as it has been shown. */
  get events() {
    return [...this.heard].filter(([version]) => version <= this.match.version)
      .sort(([one], [other]) => one - other).flatMap(([, events]) => events);
  }

  /**
   * The last steps of the match, as this seat may see them; none if they come when the device has been
   * passed on: they are for nobody else.
   * @param {number} most
   * @returns {Promise<any[]>}
   */
  async _steps(most) {
    const { live } = this;
    const path = `/api/tables/${this.id}/matches/${this.match.number}/steps?${this.seat === null ? '' : `seat=${this.seat}&`}`;
    const more = { token: this.token ?? undefined };
    const { of } = await ask(`${path}count=1`, more).catch(() => ({ of: 0 }));
    const answer = await ask(`${path}from=${Math.max(0, of - most)}&count=${most}`, more).catch(() => null);
    return live === this.live ? (answer?.steps ?? []) : [];
  }

  _drawer() {
    const open = this.logOpen && this.view;
    if (open && !this.whole && !this.reading) this._readLog();
    const close = () => this.logOpen && this._toggleLog();
    morph(this.side, h('div', { class: 'log-side' },
      open ? log(this.face, this.events, this.at, { docked: DOCK.matches, busy: this.reading !== null, close }) : null));
    const dialog = this.side.querySelector('dialog');
    if (dialog && !dialog.open) dialog.showModal(); // on a phone "back" closes it
  }

  _tick() {
    const shown = this.header.querySelector('.clock');
    const text = this.table.status === 'playing' ? this.clock.text : '';
    if (!shown || shown.textContent === text) return;
    shown.textContent = text;
    shown.classList.toggle('late', this.clock.late);
  }

  // --- Dialogs ---

  /** @param {HTMLElement} result */
  async _result(result) {
    const closed = roundDialog(result);
    // A clock does not wait for long.
    await (this.table.clock === null ? closed : Promise.race([closed, new Promise((done) => setTimeout(done, LOOK))]));
  }

  _final() {
    const { view, table, id, token } = this;
    if (!view?.over || table.status !== 'over') return;
    const path = `/api/tables/${id}/matches/${table.number}/file`;
    if (this.celebrated !== table.number && this.played) celebrate(this.seat === null || view.winners.includes(this.seat));
    this.celebrated = table.number;
    finalDialog({
      view, table, id, at: this.at, lastRound: this.lastRound, lowest: this.lowest, picture: this.picture,
      rematch: () => this._rematch(),
      file: () => save(path, token ?? undefined, `${table.game}-${id}-${table.number}.json`).catch(({ code }) => this._tell(refusal(code))),
    });
  }

  _what() {
    if (this.view) whatDialog(this.stage.about.all());
  }

  async _copy() {
    const { link } = this.invitation;
    if (await copy(link)) this._tell(t('room.copied'));
    else linkDialog(link);
  }

  _menu() {
    const { table, seat } = this;
    menuDialog({
      table, seated: seat !== null, alone: this._locals().length < 2,
      what: this.view ? () => this._what() : null,
      pause: () => this._say('pause'),
      result: () => this._final(),
      copy: () => this._copy(),
      leave: () => askDialog(t('leave.ask'), t('menu.leave'), () => this._leave()),
    });
  }
}
