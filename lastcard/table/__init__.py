"""Live tables: people and bots at them, and a journal that loses nothing. No HTTP here."""
