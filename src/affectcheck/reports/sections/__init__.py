"""The sections of a report, one module each: each turns a reading of the record into blocks."""
