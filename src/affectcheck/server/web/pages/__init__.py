"""The pages, one module for each thing that people do."""
