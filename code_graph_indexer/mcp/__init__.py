"""The door for agents: a server that speaks the Model Context Protocol, and the settings that clients need for it."""
