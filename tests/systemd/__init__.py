"""The service: its unit, its rules, and installing it on a Raspberry Pi and removing it."""
