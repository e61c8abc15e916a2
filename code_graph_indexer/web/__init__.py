"""The door for people: a local page on which they look around in the code of an index."""
