/** What an install script is made for. */
export interface InstallScriptFacts {
  /** Without a slash at the end. */
  publicUrl: string;
  version: string;
  /** Of the package, hex. */
  sha256: string;
  /** The package's file name below `/install/`. */
  packageName: string;
}

/**
 * The script behind `/install/probe.sh`. Nothing runs before all of it has arrived: it is one function, called in
 * a group that only its last byte closes. It names the package's SHA-256, so nothing else is ever unpacked.
 */
export function probeInstallScript(facts: InstallScriptFacts): string {
  const url = `${facts.publicUrl}/install/${facts.packageName}`;
  return SCRIPT.replace('@VERSION@', () => shellQuote(facts.version))
    .replace('@SHA256@', () => shellQuote(facts.sha256))
    .replace('@URL@', () => shellQuote(url))
    .replace('@COMMAND@', () => shellQuote(`curl -fsSL ${facts.publicUrl}/install/probe.sh | sudo sh -s --`));
}

/** One word for a POSIX shell, whatever is in it. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Hardened as far as a JavaScript engine allows: it needs memory that is both written and executed. */
const UNIT = `[Unit]
Description=Picket probe
Wants=network-online.target
After=network-online.target

[Service]
User=picket-probe
Group=picket-probe
EnvironmentFile=-/etc/picket-probe/environment
EnvironmentFile=-/etc/picket-probe/join.env
ExecStart=$node /opt/picket-probe/current/probe/picket-probe.mjs --data /var/lib/picket-probe
StateDirectory=picket-probe
StateDirectoryMode=0700
UMask=0077
Restart=always
RestartSec=2
RestartPreventExitStatus=78
AmbientCapabilities=CAP_NET_RAW
CapabilityBoundingSet=CAP_NET_RAW
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
ProtectProc=invisible
LockPersonality=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
RemoveIPC=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service

[Install]
WantedBy=multi-user.target`;

const SCRIPT = `#!/bin/sh
# Installs, upgrades or removes a Picket probe. Run it with --help to see how.
picket_probe_main() {
  root=$PICKET_INSTALL_ROOT
  set -eu
  umask 022
  version=@VERSION@
  sha256=@SHA256@
  url=@URL@
  command=@COMMAND@
  program=$root/opt/picket-probe
  config=$root/etc/picket-probe
  state=$root/var/lib/picket-probe
  unit=$root/etc/systemd/system/picket-probe.service
  user=picket-probe

  say() { printf 'picket-probe: %s\\n' "$1"; }
  fail() { printf 'picket-probe: %s\\n' "$1" >&2; exit 1; }
  has() { command -v "$1" >/dev/null 2>&1; }
  # Under PICKET_INSTALL_ROOT (tests, images) only files are written: no account, no service.
  live() { [ -z "$root" ]; }
  with_systemd() { live && has systemctl && [ -d /run/systemd/system ]; }
  usage() {
    printf '%s\\n' \\
      "$command --token TOKEN   install, and join with a token made by an operator" \\
      "$command                 upgrade in place" \\
      "$command --uninstall     remove everything"
  }

  download() {
    if has curl; then curl -fsSL --retry 2 -o "$2" "$1"
    elif has wget; then wget -q -O "$2" "$1"
    else fail 'curl or wget is needed'
    fi
  }
  digest() {
    if has sha256sum; then sha256sum <"$1"
    elif has shasum; then shasum -a 256 <"$1"
    elif has openssl; then openssl dgst -sha256 -r <"$1"
    else fail 'sha256sum, shasum or openssl is needed'
    fi | cut -d ' ' -f 1
  }
  find_node() {
    node=$(command -v node) || fail 'Node.js 20.19 or later is needed'
    "$node" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' ||
      fail "Node.js 20.19 or later is needed, $node is $("$node" --version)"
    case $node in
      /home/* | /root/*) if live; then fail "$node is in a home directory, which the service may not read: install Node.js for all users"; fi ;;
    esac
  }
  add_user() {
    if ! live || id "$user" >/dev/null 2>&1; then return 0; fi
    if has useradd; then useradd --system --user-group --no-create-home --home-dir /var/lib/picket-probe --shell /usr/sbin/nologin "$user"
    elif has adduser; then adduser -S -D -H -h /var/lib/picket-probe -s /sbin/nologin "$user"
    else fail 'useradd or adduser is needed'
    fi
  }
  write_unit() {
    mkdir -p "$root/etc/systemd/system"
    cat >"$work/unit" <<UNIT_END
${UNIT}
UNIT_END
    mv "$work/unit" "$unit"
  }
  unpack() {
    release=$program/releases/$version-$(printf %.12s "$sha256")
    mkdir -p "$program/releases"
    rm -rf "$release.new"
    mkdir "$release.new"
    tar -xzf "$work/package" -C "$release.new" --strip-components=1 --no-same-owner
    rm -rf "$release"
    mv "$release.new" "$release"
    # A link that is put in place whole: a service that starts now finds the old release or the new one.
    ln -sfn "releases/$(basename "$release")" "$program/current.new"
    mv -fT "$program/current.new" "$program/current" 2>/dev/null ||
      { rm -f "$program/current"; mv "$program/current.new" "$program/current"; }
    for old in "$program/releases"/*; do
      [ "$old" = "$release" ] || rm -rf "$old"
    done
  }
  write_config() {
    mkdir -p "$config" "$state"
    chmod 700 "$state"
    if [ ! -e "$config/environment" ]; then
      printf '%s\\n' '# PICKET_ALLOW_PRIVATE_TARGETS=0' '# PICKET_PROBE_SPOOL_BYTES=1073741824' '# PICKET_LOG_LEVEL=info' >"$config/environment"
    fi
    if [ -n "$token" ]; then
      # Readable by root alone: systemd reads it and hands it on.
      (umask 077; printf 'PICKET_JOIN_TOKEN=%s\\n' "$token" >"$config/join.env.new")
      mv "$config/join.env.new" "$config/join.env"
    fi
    if live; then chown -R "$user" "$state"; fi
  }
  start() {
    if with_systemd; then
      systemctl daemon-reload
      systemctl enable --quiet picket-probe
      systemctl restart picket-probe
      say "version $version is installed and running; journalctl -u picket-probe shows its log"
    else
      say "version $version is installed. There is no systemd here to run it; as root:"
      say "  set -a; . /etc/picket-probe/environment; . /etc/picket-probe/join.env; set +a"
      say "  exec setpriv --reuid $user --regid $user --init-groups --inh-caps=-all,+net_raw --ambient-caps=+net_raw $node /opt/picket-probe/current/probe/picket-probe.mjs --data /var/lib/picket-probe"
    fi
  }
  uninstall() {
    if with_systemd; then systemctl disable --now --quiet picket-probe 2>/dev/null || true; fi
    rm -rf "$program" "$config" "$state" "$unit"
    if with_systemd; then systemctl daemon-reload; fi
    if live && id "$user" >/dev/null 2>&1; then
      if has userdel; then userdel "$user"; elif has deluser; then deluser "$user"; fi
    fi
    say 'removed'
  }

  token=
  action=install
  while [ $# -gt 0 ]; do
    case $1 in
      --token) [ $# -ge 2 ] || fail '--token needs a value'; token=$2; shift ;;
      --uninstall) action=uninstall ;;
      --help) usage; return 0 ;;
      *) usage >&2; return 2 ;;
    esac
    shift
  done
  case $token in *[!A-Za-z0-9_-]*) fail '--token is no join token' ;; esac
  case $token in '' | pjt_*) ;; *) fail '--token is no join token' ;; esac
  if live && [ "$(id -u)" != 0 ]; then fail 'must be run as root'; fi
  if [ "$action" = uninstall ]; then uninstall; return 0; fi
  if [ -z "$token" ] && [ ! -e "$state/credential.json" ] && [ ! -e "$config/join.env" ]; then
    fail '--token is missing: an operator makes one (POST /v1/admin/probes/join-tokens)'
  fi

  find_node
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  download "$url" "$work/package" || fail "$url cannot be downloaded"
  found=$(digest "$work/package")
  [ "$found" = "$sha256" ] || fail "the download is damaged or was changed: its SHA-256 is $found, not $sha256; nothing was installed"
  add_user
  unpack
  write_config
  write_unit
  start
}
# Only the brace at the very end makes the group whole: of a script that was cut off nothing runs.
{ picket_probe_main "$@"; exit; }
`;
