"""The people of a world: they open a table, sit down, play, and come back when they are cut off."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from msgspec.json import decode

from lastcard.core.registry import game as find
from lastcard.core.registry import games
from lastcard.table.messages import REACTIONS

from .checks import Told
from .network import Lines, Lost, Wire
from .truth import Violation

if TYPE_CHECKING:
    from .process import Process
    from .world import World

AGAIN = 0.3  # seconds until somebody tries once more
LONG_AWAY = 20.0  # seconds
NONSENSE = ("", "{", "[]", '{"type":"move"}', '{"type":"hello"}', "x" * 5000)


@dataclass
class Asked:
    """A message that wants an answer."""

    kind: str
    seat: int
    seq: int  # of the table's last entry when it was sent
    text: str
    sent: int = 0  # times
    refused: bool = False


def random_setup(rng: random.Random, most_people: int) -> dict[str, Any]:
    """A table at which matches are short."""
    game = find(rng.choice(games()))
    players = rng.randint(game.fewest, min(game.most, 4))
    options: dict[str, Any] = {}
    for option in game.options:
        if option.name == "rounds":
            options["rounds"] = 1
        elif option.name == "target" and option.default is not None:
            options["target"] = 30
        elif option.name == "out_of_turn":
            options["out_of_turn"] = rng.random() < 0.5
    bots = max(0, players - most_people)
    if rng.random() < 0.4:
        bots = rng.randint(bots, players - 1)
    return {
        "game": game.id,
        "players": players,
        "options": options,
        "bots": [rng.choice(("easy", "normal", "master")) for _ in range(bots)],
        "watch": rng.random() < 0.8,
        "public": rng.random() < 0.3,
        "clock": rng.choice((None, None, 5, 12)),
        "grace": rng.choice((None, 5, 60)),
        "undo": rng.random() < 0.25,
    }


class Party:
    """Those who play at one table."""

    def __init__(self, world: World, number: int) -> None:
        self.world = world
        self.number = number
        self.rng = random.Random(f"{world.plan.seed} party {number}")
        self.id = ""
        self.devices: list[Device] = []
        self.setup = random_setup(self.rng, world.plan.people)

    async def meet(self) -> None:
        """Opens the table, and everybody sits down."""
        people = self.setup["players"] - len(self.setup["bots"])
        body = {**self.setup, "name": "Ann"}
        made = await self._ask("/api/tables", body)
        self.id = made["table"]
        self._seat(made)
        for number in range(1, people):
            if self.rng.random() < 0.1:
                break  # somebody will fill the table with bots
            id = f"{self.rng.getrandbits(128):032x}"
            join = {"name": f"Ben {number}", "id": id}
            made = await self._ask(f"/api/tables/{self.id}/join", join)
            if "seat" not in made:
                break  # somebody has filled it already
            self._seat(made)
        if self.setup["watch"] and self.rng.random() < 0.3:
            self._join(None, "")

    def _seat(self, made: dict[str, Any]) -> None:
        for _ in range(1 + (self.rng.random() < 0.2)):  # on a phone, too
            self._join(made["seat"], made["token"])

    def _join(self, seat: int | None, token: str) -> None:
        device = Device(self, len(self.devices), seat, token)
        self.devices.append(device)
        self.world.spawn(device.live())

    async def _ask(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        while True:
            process = self.world.any_process(self.rng)
            address = f"10.0.{self.number}.1"
            if process is not None:
                try:
                    status, answer = await Lines(self.world, process).ask(
                        "POST", path, address, body
                    )
                except Lost:
                    status, answer = 0, {}
                if status == 201 or answer.get("code") == "full":
                    return answer
                if status not in (0, 503):
                    raise Violation(f"{path}: {status} {answer}")
            await asyncio.sleep(AGAIN)


@dataclass(eq=False)
class Device:
    """A client that somebody plays with, or watches."""

    party: Party
    number: int
    seat: int | None
    token: str
    wire: Wire | None = None
    told: Told | None = None
    version: int = 0  # all of this as it has heard
    view: dict[str, Any] = field(default_factory=dict)
    table_now: dict[str, Any] = field(default_factory=dict)
    waiting: dict[str, Asked] = field(default_factory=dict)  # for answers
    connected_since: float = 0.0
    gone_since: float = 0.0
    welcomed: bool = False
    evicted: bool = False  # left before the match began: the seat is somebody else's
    home: bool = False  # gone for good

    def __post_init__(self) -> None:
        self.world = self.party.world
        self.table = self.party.id
        self.address = f"10.1.{self.party.number}.{self.number + 1}"
        seed = f"{self.world.plan.seed} device {self.party.number} {self.number}"
        self.rng = random.Random(seed)
        self.left = False  # and watches
        self._away = False
        self._ids = 0

    def __repr__(self) -> str:
        return f"device {self.party.number}.{self.number} in seat {self.seat}"

    async def live(self) -> None:
        while not self.evicted and not self.home:
            process = self.world.any_process(self.rng)
            if process is not None:
                await self._stay(process)
                self.gone_since = self.world.loop.time()
                self.home = self.world.faults.happens("goes home")
            away, self._away = self._away or self.world.faults.happens("away"), False
            longest = LONG_AWAY if away else 2 * AGAIN
            await asyncio.sleep(self.rng.uniform(0, longest))

    async def _stay(self, process: Process) -> None:
        """One connection, from its beginning to its end."""
        path = f"/api/tables/{self.table}/live"
        self.wire = wire = Wire(self.world, process, path, self.address)
        self.told = Told(self.world, self, self.version)
        self.welcomed = False
        self.world.wires[wire] = self
        self.connected_since = self.world.loop.time()
        hello = {"type": "hello", "token": self.token} if self.token else {"type": "hello"}
        wire.say(json.dumps(hello))
        self._send_again()
        while wire.open:
            text = await wire.next(self._pause())
            if text:
                self._hear(decode(text))
            elif wire.open:
                self._act()
        self.world.wires.pop(wire, None)
        self.wire = None

    def _send_again(self) -> None:
        """Moves that were not answered; other messages are not remembered."""
        self.waiting = {id: one for id, one in self.waiting.items() if one.kind == "move"}
        for asked in self.waiting.values():
            asked.sent += self._say(asked.text)

    def _pause(self) -> float:
        if self.world.ending:
            return 5.0
        if self.world.faults.calm:
            return 1.0
        return self.rng.choice((0.05, 0.3, 0.8, 2.0))

    # --- Hearing ---------------------------------------------------------------------------------

    def _hear(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        if kind in ("welcome", "table"):
            self.table_now = message["table"]
        if kind == "welcome":
            self.welcomed, self.left = True, message["seat"] != self.seat
        if kind == "error" and not self.welcomed:
            self.evicted = message["code"] == "unauthorized"
        if kind in ("welcome", "match") and message["match"]:
            self.version, self.view = message["match"]["version"], message["match"]["view"]
        if kind == "update":
            self.version = message["version"]
            self.view = {**self.view, **message["changes"]}
        if kind in ("ok", "error", "hint"):
            asked = self.waiting.pop(message["id"] or "", None)
            if asked is not None and message.get("code") in ("unavailable", "too_fast"):
                if self.wire is not None and self.world.faults.happens("gives up"):
                    self._away = True
                    self.wire.cut()
                if asked.kind == "move":  # with the same id
                    self.waiting[message["id"]] = asked
                    self.world.loop.call_later(AGAIN, self._retry, message["id"])

    def _retry(self, id: str) -> None:
        if (asked := self.waiting.get(id)) is not None and self.wire is not None:
            asked.sent += self._say(asked.text)

    # --- Acting ----------------------------------------------------------------------------------

    def _act(self) -> None:
        if not self.welcomed or self.wire is None or self.world.ending:
            return
        if self.seat is None:
            if self.rng.random() < 0.1:
                self._ask("ping")
            return
        if self.left and (self.world.faults.calm or self.rng.random() < 0.2):
            self.wire.cut()  # to come back
            return
        if any(one.kind == "move" for one in self.waiting.values()):
            return
        status = self.table_now["status"]
        if self.world.faults.calm:
            self._act_calmly(status)
        elif self.rng.random() < 0.15:
            self._act_strangely(status)
        elif status == "playing" and self.view.get("legal"):
            self._move()
        elif status == "over":
            self._ask("rematch", seed=self.rng.choice((None, "a seed")))
        elif status == "paused" and self.rng.random() < 0.3:
            self._ask("resume")

    def _act_calmly(self, status: str) -> None:
        if status == "open":
            self._ask("fill", level="easy")
        elif status == "paused":
            self._ask("resume")
        elif status == "playing" and self.view.get("legal"):
            self._move()

    def _act_strangely(self, status: str) -> None:
        assert self.wire is not None
        rng = self.rng
        match rng.randrange(14):
            case 0:
                self.world.reactions.add((self.seat, reaction := rng.choice(REACTIONS)))
                self._ask("react", reaction=reaction)
            case 1:
                self._ask("hurry")
            case 2:
                self._ask("hint")
            case 3:
                self._ask("pause")
            case 4:
                self._ask("resume")
            case 5 | 6:
                self._ask("undo", version=self.version)
            case 7 if rng.random() < 0.3:
                self._ask("leave")
            case 8:
                self._ask("fill", level="normal")
            case 9:
                self._ask("seed", seed=f"seed {rng.random()}")
            case 10:
                self._say(rng.choice(NONSENSE))
            case 11 if self.version:
                self._move(self.version - 1)
            case 12:
                self.wire.cut()
            case _:
                self._ask("ping")

    def _move(self, version: int = -1) -> None:
        if not self.view.get("legal"):
            return
        action = self.rng.choice(self.view["legal"])
        self._ask("move", version=self.version if version < 0 else version, action=action)

    def _ask(self, kind: str, **more: Any) -> None:
        self._ids += 1
        id = f"{self.party.number}.{self.number}.{self._ids}"
        text = json.dumps({"type": kind, "id": id, **more})
        seat = -1 if self.seat is None else self.seat
        asked = Asked(kind, seat, self.world.truth.tables[self.table].seq, text)
        self.waiting[id] = self.world.asked[id] = asked
        asked.sent += self._say(text)

    def _say(self, text: str) -> int:
        if self.wire is None:
            return 0
        self.world.note("says", self.wire, text)
        return self.wire.say(text)
