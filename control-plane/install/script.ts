import { type ScriptName, scriptCommand } from './command.js';
import { shellQuote } from './shell.js';

/** The facts that an install script contains. */
export interface InstallScriptFacts {
  /** Without a slash at the end. */
  publicUrl: string;
  version: string;
  /** The package of JavaScript: its file name below `/install/`, and its SHA-256 in hex. */
  package: { name: string; sha256: string };
}

/** The differences between the programs. All of it is trusted text, never from a request. */
export interface InstalledProgram {
  /** The name of its folders, account and service. */
  name: 'picket-probe' | 'picket-agent';
  script: ScriptName;
  /** How to get a join token. */
  tokenFrom: string;
  /** The last message of an uninstallation. */
  removed: string;
  /** Arguments of setpriv, for systems without systemd. */
  capabilities: string;
  /** Lines of `/etc/<name>/environment`, written as comments. */
  settings: readonly string[];
  /**
   * The shell function `choose`. It sets `package` (file name below /install/), `sha256`, `interpreter` (empty for an
   * executable) and `file` (path in the unpacked package), or fails.
   */
  choose: string;
  /** Lines of the unit's [Service] section that only this program has. */
  service: readonly string[];
}

/**
 * Returns the restrictions of every service. MemoryDenyWriteExecute is not among them, because a JavaScript engine
 * needs memory that is both writable and executable.
 */
export function hardening(): string[] {
  return [
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
    'PrivateDevices=yes',
    'ProtectClock=yes',
    'ProtectKernelLogs=yes',
    'ProtectKernelModules=yes',
    'ProtectKernelTunables=yes',
    'ProtectControlGroups=yes',
    'LockPersonality=yes',
    'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK',
    'RestrictNamespaces=yes',
    'RestrictRealtime=yes',
    'RestrictSUIDSGID=yes',
    'RemoveIPC=yes',
    'SystemCallArchitectures=native',
    // V8 protects compiled code with memory protection keys, which are not in @system-service. Other system calls fail
    // with EPERM instead of killing the process.
    'SystemCallFilter=@system-service pkey_alloc pkey_free pkey_mprotect',
    'SystemCallErrorNumber=EPERM',
  ];
}

/**
 * Returns a script that installs, upgrades and removes a program. Nothing runs until the whole script has arrived: it
 * is one function, called in a group that only the last byte closes. The script contains the SHA-256 of the package, so
 * it unpacks nothing else.
 */
export function installScript(facts: InstallScriptFacts, program: InstalledProgram): string {
  const { name } = program;
  return `#!/bin/sh
# Installs, upgrades or removes ${name}. Run it with --help to see how.
picket_main() {
  root=$PICKET_INSTALL_ROOT
  set -eu
  umask 022
  name=${name}
  version=${shellQuote(facts.version)}
  base=${shellQuote(`${facts.publicUrl}/install`)}
  command=${shellQuote(scriptCommand(facts.publicUrl, program.script))}
  token_from=${shellQuote(program.tokenFrom)}
  removed=${shellQuote(program.removed)}
  capabilities=${shellQuote(program.capabilities)}
  settings=${shellQuote(program.settings.map((line) => `# ${line}\n`).join(''))}
${program.choose}
  unit_text() {
    cat <<UNIT_END
${unit(program)}
UNIT_END
  }
${COMMON}}
# Only the last brace completes the group, so a truncated script runs nothing.
{ picket_main "$@"; exit; }
`;
}

/** Returns the systemd unit. `$run` is a shell variable, because only the machine knows its Node.js. */
function unit(program: InstalledProgram): string {
  const { name } = program;
  return `[Unit]
Description=${name.replace('picket-', 'Picket ')}
Wants=network-online.target
After=network-online.target

[Service]
User=${name}
Group=${name}
EnvironmentFile=-/etc/${name}/environment
EnvironmentFile=-/etc/${name}/join.env
ExecStart=$run --data /var/lib/${name}
StateDirectory=${name}
StateDirectoryMode=0700
UMask=0077
Restart=always
RestartSec=2
RestartPreventExitStatus=78
${program.service.join('\n')}

[Install]
WantedBy=multi-user.target`;
}

/** The part that is the same for every program. It uses only the variables and functions defined before it. */
const COMMON = `  program=$root/opt/$name
  config=$root/etc/$name
  state=$root/var/lib/$name
  unit=$root/etc/systemd/system/$name.service

  say() { printf '%s: %s\\n' "$name" "$1"; }
  fail() { printf '%s: %s\\n' "$name" "$1" >&2; exit 1; }
  has() { command -v "$1" >/dev/null 2>&1; }
  # With PICKET_INSTALL_ROOT (tests, images) it only writes files: no account, no service.
  live() { [ -z "$root" ]; }
  with_systemd() { live && has systemctl && [ -d /run/systemd/system ]; }
  usage() {
    printf '%s\\n' \\
      "$command --token TOKEN   install and join ($token_from)" \\
      "$command                 upgrade in place" \\
      "$command --uninstall     uninstall, and delete its data"
  }

  download() {
    # An https address is never left for plain http by a redirect.
    case $1 in https://*) proto='=https' ;; *) proto='=http,https' ;; esac
    if has curl; then curl --proto "$proto" -fsSL --retry 2 -o "$2" "$1"
    elif has wget; then wget -q -O "$2" "$1"
    else fail 'curl or wget is required'
    fi
  }
  digest() {
    if has sha256sum; then sha256sum <"$1"
    elif has shasum; then shasum -a 256 <"$1"
    elif has openssl; then openssl dgst -sha256 -r <"$1"
    else fail 'sha256sum, shasum or openssl is required'
    fi | cut -d ' ' -f 1
  }
  # Sets node, or why with the reason.
  find_node() {
    why='Node.js 20.19 or later is required'
    node=$(command -v node) || return 1
    "$node" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' || {
      why="$why, but $node is $("$node" --version)"
      return 1
    }
    if live; then
      for place in "$node" "$(readlink -f "$node")"; do
        case $place in
          /home/* | /root/*)
            why="$why, and $place is in a home directory, which the service cannot read; install Node.js for all users"
            return 1
            ;;
        esac
      done
    fi
  }
  add_user() {
    if ! live || id "$name" >/dev/null 2>&1; then return 0; fi
    if has useradd; then useradd --system --user-group --no-create-home --home-dir "/var/lib/$name" --shell /usr/sbin/nologin "$name"
    elif has adduser; then adduser -S -D -H -h "/var/lib/$name" -s /sbin/nologin "$name"
    else fail 'useradd or adduser is required'
    fi
  }
  write_unit() {
    mkdir -p "$root/etc/systemd/system"
    unit_text >"$work/unit"
    mv "$work/unit" "$unit"
  }
  unpack() {
    release=$program/releases/$version-$(printf %.12s "$sha256")
    mkdir -p "$program/releases"
    rm -rf "$release.new"
    mkdir "$release.new"
    tar -xzf "$work/package" -C "$release.new" --strip-components=1 --no-same-owner
    # Runs before anything is replaced. It fails if the C library is too old or the file system forbids execution.
    output=$("\${interpreter:-$release.new/$file}" \${interpreter:+"$release.new/$file"} --version 2>&1) || {
      rm -rf "$release.new"
      rmdir "$program/releases" "$program" 2>/dev/null || true
      fail "version $version does not run on this machine; nothing was installed: $output"
    }
    rm -rf "$release"
    mv "$release.new" "$release"
    # Replaces the link atomically: a service that starts now finds the old release or the new one.
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
    if [ ! -e "$config/environment" ]; then printf %s "$settings" >"$config/environment"; fi
    if [ -n "$token" ]; then
      # Only root can read it: systemd reads it and passes it on.
      (umask 077; printf 'PICKET_JOIN_TOKEN=%s\\n' "$token" >"$config/join.env.new")
      mv "$config/join.env.new" "$config/join.env"
    fi
    if live; then chown -R "$name" "$state"; fi
  }
  start() {
    if with_systemd; then
      systemctl daemon-reload
      systemctl enable --quiet "$name"
      systemctl restart "$name"
      say "version $version is installed and running; show its log with journalctl -u $name"
    else
      say "version $version is installed. This system has no systemd. To run it, as root:"
      say "  set -a; . /etc/$name/environment; . /etc/$name/join.env; set +a"
      say "  exec setpriv --reuid $name --regid $name --init-groups $capabilities $run --data /var/lib/$name"
    fi
  }
  uninstall() {
    if with_systemd; then systemctl disable --now --quiet "$name" 2>/dev/null || true; fi
    rm -rf "$program" "$config" "$state" "$unit"
    if with_systemd; then systemctl daemon-reload; fi
    if live && id "$name" >/dev/null 2>&1; then
      if has userdel; then userdel "$name"; elif has deluser; then deluser "$name"; fi
    fi
    say "$removed"
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
  case $token in *[!A-Za-z0-9_-]*) fail '--token is not a join token' ;; esac
  case $token in '' | pjt_*) ;; *) fail '--token is not a join token' ;; esac
  if live && [ "$(id -u)" != 0 ]; then fail 'run this as root'; fi
  if [ "$action" = uninstall ]; then uninstall; return 0; fi
  if [ -z "$token" ] && [ ! -e "$state/credential.json" ] && [ ! -e "$config/join.env" ]; then
    fail "--token is required: $token_from"
  fi

  choose
  run="\${interpreter:+$interpreter }/opt/$name/current/$file"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  download "$base/$package" "$work/package" || fail "downloading $base/$package failed; nothing was installed"
  found=$(digest "$work/package")
  [ "$found" = "$sha256" ] || fail "the download is damaged: its SHA-256 is $found, not $sha256; nothing was installed"
  unpack
  add_user
  write_config
  write_unit
  start
`;
