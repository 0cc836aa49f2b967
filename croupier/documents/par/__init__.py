"""PAR sheets: `par_sheet.make_par_sheet`, printed as CSV, PDF and Excel workbook."""
