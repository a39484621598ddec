import { hardening, type InstallScriptFacts, installScript } from './script.js';
import { shellQuote } from './shell.js';

/** The agent with a bundled Node.js, for machines whose `uname -m` is one of these names. */
export interface AgentExecutable {
  machines: readonly string[];
  /** File name below `/install/`. */
  name: string;
  /** Hexadecimal. */
  sha256: string;
}

/**
 * Returns the script of `/install/agent.sh`. It uses an installed Node.js. If there is none, or an old one, it installs
 * the executable with a bundled Node.js.
 */
export function agentInstallScript(facts: InstallScriptFacts & { executables: readonly AgentExecutable[] }): string {
  return installScript(facts, {
    name: 'picket-agent',
    script: 'agent.sh',
    tokenFrom: 'create a token with POST /v1/servers/join-tokens',
    removed: 'removed; the server stays in Picket as offline until you delete it there',
    capabilities: '--inh-caps=-all --bounding-set=-all',
    settings: ['PICKET_AGENT_INTERVAL_SECONDS=10', 'PICKET_AGENT_SPOOL_BYTES=268435456', 'PICKET_LOG_LEVEL=info'],
    choose: `  choose() {
    if find_node; then
      package=${shellQuote(facts.package.name)} sha256=${shellQuote(facts.package.sha256)}
      interpreter=$node file=picket-agent.cjs
      return 0
    fi
    for musl in /lib/ld-musl-*; do
      if [ -e "$musl" ]; then fail "$why; the package with a bundled Node.js needs glibc, but this system uses musl (Alpine: apk add nodejs)"; fi
    done
    interpreter='' file=picket-agent
    case $(uname -m) in
${facts.executables.map(executableCase).join('')}      *) fail "$why; there is no package with a bundled Node.js for $(uname -m)" ;;
    esac
  }`,
    service: [
      'CapabilityBoundingSet=',
      // The agent must see every process and every file system with its real size, which ProtectHome=yes, PrivateTmp
      // and ProtectProc=invisible would hide. With ProtectHostname it would not see a new host name.
      'ProtectHome=read-only',
      // A monitoring agent must not exhaust the memory or the process table of its machine.
      ...['MemoryMax=256M', 'TasksMax=128'],
      ...hardening(),
    ],
  });
}

function executableCase({ machines, name, sha256 }: AgentExecutable): string {
  return `      ${machines.join(' | ')}) package=${shellQuote(name)} sha256=${shellQuote(sha256)} ;;\n`;
}
