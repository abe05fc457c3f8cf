"""The facts of the sample project: the one place from which PDFs, models, records and questions derive."""
