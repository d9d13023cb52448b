"""The service: its unit, its rules, and putting it onto a Raspberry Pi and off again."""
