"""Pure rendering: rounds, events, bets and rules as lines of styled text."""
