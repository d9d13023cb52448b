# shellcheck shell=bash
# What install and uninstall share: the places, telling a step before doing it, the log and the manifest.
# Paths are written as the Pi will see them; "$root" in front of them is the scratch root, or nothing.

# shellcheck disable=SC2034  # the places are used by the two scripts
{
  service=table-companion.service
  opt=/opt/table-companion
  # Each version has a folder of its own in here, and `current` is a link to the one that runs.
  releases=$opt/releases
  current=$opt/current
  program=/usr/local/bin/companion
  settings=/etc/table-companion
  games=/var/lib/table-companion
  # Belongs to root, unlike the games' folder: uninstall removes what is written here.
  manifest=$settings/manifest
}

root=${DESTDIR:-}
dry_run=no
changed=no
# The file that keeps what the steps' commands said; none before install has opened it.
log=

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

# Whether systemd runs this system. In a chroot or a container its tools may be there without it.
systemd_runs() { [[ -d /run/systemd/system ]]; }

# step SENTENCE COMMAND...: says what is about to happen, then lets it happen.
step() {
  say "$1"
  [[ -z $log ]] || printf '== %(%F %T)T %s\n' -1 "$1" 2>/dev/null >>"$log" || true
  changed=yes
  shift
  [[ $dry_run == yes ]] || "$@"
}

# logged COMMAND...: what it says goes to the log, and its last lines are shown if it fails. They are held in memory
# too, because a full disk takes no log.
logged() {
  local last
  last=$("$@" 2>&1 9>&- | tee -a "$log" 2>/dev/null | tail -n 15; exit "${PIPESTATUS[0]}") && return
  say "${last//$'\n'/$'\n'  }" | sed '1s/^/  /' >&2
  return 1
}

# system_step SENTENCE COMMAND...: a step that only a running system can take; for a scratch root it is written down.
system_step() {
  if [[ -z $root ]]; then
    step "$1" logged "${@:2}"
  elif ! noted later "${*:2}"; then
    step "Writing down for later: ${*:2}" note later "${*:2}"
  fi
}

# The manifest has one line for each thing that was made: its kind and its path or name.
noted() { grep -qxF "$1 $2" "$root$manifest" 2>/dev/null; }

note() { noted "$1" "$2" || printf '%s %s\n' "$1" "$2" >>"$root$manifest"; }

noted_of_kind() { sed -n "s/^$1 //p" "$root$manifest" 2>/dev/null || true; }

# Drops the lines that stdin lists from the manifest. Written beside it first: a full disk must not cost the list.
forget() {
  grep -vxFf - "$root$manifest" >"$root$manifest.new" || [[ $? == 1 ]] || return 1
  mv "$root$manifest.new" "$root$manifest"
}
