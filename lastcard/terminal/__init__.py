"""Any game in the terminal: the table, your hand, a menu of actions, the log. Knows no rules."""

from lastcard.core.files import HUMAN as HUMAN

from .advice import advice_of as advice_of
from .drawing import names_of as names_of
from .drawing import table_of as table_of
from .replay import Replay as Replay
from .session import LeaveSession as LeaveSession
from .session import Session as Session
