# shellcheck shell=bash
# What install and uninstall share: the places, telling a step before doing it, and the manifest.
# Paths are written as the Pi will see them; "$root" in front of them is the scratch root, or nothing.

# shellcheck disable=SC2034  # the places are used by the two scripts
{
  service=table-companion.service
  opt=/opt/table-companion
  settings=/etc/table-companion
  games=/var/lib/table-companion
  # Belongs to root, unlike the games' folder: uninstall removes what is written here.
  manifest=$settings/manifest
}

root=${DESTDIR:-}
dry_run=no
changed=no

say() { printf '%s\n' "$*"; }

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

# Scratch roots are given in many spellings; "" means the running system.
choose_root() {
  [[ -z $root ]] && return
  [[ -d $root ]] || fail "There is no folder $root to install into: make it first."
  root=$(cd "$root" && pwd)
  [[ $root != / ]] || root=
}

need_root_rights() {
  [[ -n $root || $dry_run == yes || $(id -u) == 0 ]] || fail "This changes the system: run it again with sudo."
}

# step SENTENCE COMMAND...: says what is about to happen, then lets it happen.
step() {
  say "$1"
  changed=yes
  shift
  [[ $dry_run == yes ]] || "$@"
}

# system_step SENTENCE COMMAND...: a step that only a running system can take; for a scratch root it is written down.
system_step() {
  if [[ -z $root ]]; then
    step "$@"
  elif ! noted later "${*:2}"; then
    step "Writing down for later: ${*:2}" note later "${*:2}"
  fi
}

# The manifest has one line for each thing that was made: its kind and its path or name.
noted() { grep -qxF "$1 $2" "$root$manifest" 2>/dev/null; }

note() { noted "$1" "$2" || printf '%s %s\n' "$1" "$2" >>"$root$manifest"; }

noted_of_kind() { sed -n "s/^$1 //p" "$root$manifest" 2>/dev/null || true; }

# Drops the lines that stdin lists from the manifest.
forget() {
  local rest
  rest=$(grep -vxFf - "$root$manifest" || true)
  printf '%s' "${rest:+$rest$'\n'}" >"$root$manifest"
}
