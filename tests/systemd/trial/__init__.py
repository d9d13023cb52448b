"""`make test-install`: the installation tried in whole Debian systems, each a folder made by debootstrap."""
