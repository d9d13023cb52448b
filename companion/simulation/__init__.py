"""Games played by the machine: worlds that know what lies face down, and bots that act as people do."""
