"""Charts: plots of analyses (`plots.plot`), charts in documents, the starting-hand grid."""
