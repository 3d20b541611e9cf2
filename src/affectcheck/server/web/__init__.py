"""What browsers and programs are served: pages, the API, and what guards both."""
