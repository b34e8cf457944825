"""Tables where people and bots play, with a journal that loses nothing. No HTTP here."""
