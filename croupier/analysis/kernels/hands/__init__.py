"""Hand evaluation: `evaluator` (table-driven, all hands) and `compact_evaluator` (simulation).

`isomorphism` indexes suit isomorphism classes of boards and hands; `frequencies` counts hands.
"""
