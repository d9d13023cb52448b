"""`make test-install`: tests the installation in whole Debian systems, each in a folder made by debootstrap."""
