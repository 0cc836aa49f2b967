"""Charts: figures of results (`figures.draw`), plot files, charts in documents, hand grids."""
