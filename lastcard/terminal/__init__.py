"""Any game in the terminal: the table, your hand, numbered actions, the log. Knows no rules."""

from .replay import Replay as Replay
from .session import Leave as Leave
from .session import Session as Session
from .table import HUMAN as HUMAN
