"""Seats: sit down, leave; and what a floorperson rules on those who left or cheated."""
