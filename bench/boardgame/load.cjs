// Players of ./server.cjs: node load.cjs PORT PID CORE TABLES SECONDS
// PID and CORE are the server's; without a CORE of its own, -1.
// Everybody moves as soon as possible; then all of them together at half the rate that came of it.
// A move is timed from sending it until its player is told of it. Prints both as JSON. Players use
// socket.io as boardgame.io's own client does, but keep no state machine: the load must be light.
'use strict';

const { readFileSync } = require('node:fs');
const { io } = require('socket.io-client');

const WARM_UP = 1500; // milliseconds
const RANKS = 6;
const AT_ONCE = 25; // tables that are joined at the same time
const PATIENCE = 60_000; // milliseconds for a connection
const TICKS = 100; // of /proc in a second
const [port, pid, core, tables, seconds] = process.argv.slice(2).map(Number);

let times = [];
let paced = true; // until all have come

class Table {
  constructor(number) {
    this.number = number;
    this.round = 0;
    this.owed = false; // under a paced load, whether somebody may move now
    this.players = [new Player(this, '0'), new Player(this, '1')];
  }

  get match() {
    return `${this.number}-${this.round}`;
  }

  move() {
    this.owed = true;
    for (const player of this.players) player.play();
  }

  // The next match, when both have seen the end of this one.
  ended() {
    if (!this.players.every((player) => player.over)) return;
    this.round += 1;
    for (const player of this.players) player.join();
  }
}

class Player {
  constructor(table, id) {
    this.table = table;
    this.id = id;
    this.state = null;
    this.over = false;
    this.sent = 0; // when the move was sent that is not answered yet
    const how = { transports: ['websocket'], forceNew: true, timeout: PATIENCE };
    this.socket = io(`http://127.0.0.1:${port}/cards`, how);
    this.joined = new Promise((resolve) => {
      this.socket.on('connect', () => this.join());
      this.socket.on('sync', (match, { state }) => {
        resolve();
        this.hear(match, state);
      });
    });
    this.socket.on('update', (match, state) => this.hear(match, state));
    this.socket.on('connect_error', fail);
    this.socket.on('disconnect', fail);
  }

  join() {
    this.over = false;
    this.state = null;
    this.socket.emit('sync', this.table.match, this.id, undefined, 2);
  }

  hear(match, state) {
    if (match !== this.table.match || (this.state && state._stateID < this.state._stateID)) return;
    if (this.sent && state._stateID > this.state._stateID) {
      times.push(performance.now() - this.sent);
      this.sent = 0;
    }
    this.state = state;
    if (state.ctx.gameover === undefined) {
      this.play();
    } else if (!this.over) {
      this.over = true;
      this.table.ended();
    }
  }

  play() {
    if (!this.state || this.over || this.sent || this.state.ctx.currentPlayer !== this.id) return;
    if (paced && !this.table.owed) return;
    this.table.owed = false;
    const { top, players } = this.state.G;
    const { hand } = players[this.id];
    const fit = hand.filter((card) => card === top || card === (top % RANKS) + 1);
    const card = fit[Math.floor(Math.random() * fit.length)];
    const payload = { type: card ? 'play' : 'draw', args: card ? [card] : [], playerID: this.id };
    this.sent = performance.now();
    const action = { type: 'MAKE_MOVE', payload };
    this.socket.emit('update', action, this.state._stateID, this.table.match, this.id);
  }
}

function fail(reason) {
  console.error(String(reason));
  process.exit(1);
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// CPU seconds spent so far: of the load, of the server, and of its core on any process.
function spent() {
  const { user, system } = process.cpuUsage();
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ').map(Number);
  const line = readFileSync('/proc/stat', 'utf8').split('\n').find((one) => one.startsWith(`cpu${core} `));
  const [, used, nice, kernel, , , irq, soft, steal] = line ? line.split(' ').map(Number) : [];
  const server = (stat[11] + stat[12]) / TICKS;
  const all = line ? (used + nice + kernel + irq + soft + steal) / TICKS : server;
  return { load_cpu: (user + system) / 1e6, server_cpu: server, others_cpu: all - server };
}

async function measure(work) {
  times = [];
  const [begin, before] = [performance.now(), spent()];
  await work;
  const [seconds, after] = [(performance.now() - begin) / 1000, spent()];
  times.sort((one, other) => one - other);
  const at = (part) => times[Math.floor(times.length * part)] / 1000;
  const shares = Object.keys(after).map((one) => [one, (after[one] - before[one]) / seconds]);
  const rate = times.length / seconds;
  return { rate, p50: at(0.5), p99: at(0.99), ...Object.fromEntries(shares) };
}

async function pace(all, rate, ms) {
  const start = performance.now();
  for (let given = 0, passed = 0; passed < ms; passed = performance.now() - start) {
    for (; given < (passed * rate) / 1000; given++) {
      all.push(all.shift());
      all[0].move();
    }
    await sleep(1);
  }
}

async function main() {
  const all = [];
  while (all.length < tables) {
    const some = Math.min(AT_ONCE, tables - all.length);
    all.push(...Array.from({ length: some }, (_, number) => new Table(all.length + number)));
    await Promise.all(all.slice(-some).flatMap((table) => table.players.map((one) => one.joined)));
  }
  paced = false;
  for (const { players } of all) for (const player of players) player.play();
  await sleep(WARM_UP);
  const most = await measure(sleep(1000 * seconds));
  paced = true;
  await sleep(1000); // what is on its way arrives
  await pace(all, most.rate / 2, WARM_UP);
  const half = await measure(pace(all, most.rate / 2, 1000 * seconds));
  console.log(JSON.stringify([most, half]));
  process.exit(0);
}

main();
