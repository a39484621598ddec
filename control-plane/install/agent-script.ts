import { hardening, type InstallScriptFacts, installScript, shellQuote } from './script.js';

/** The agent with its own Node.js, for the machines that `uname -m` calls by one of these names. */
export interface AgentExecutable {
  machines: readonly string[];
  /** File name below `/install/`. */
  name: string;
  /** Hex. */
  sha256: string;
}

/**
 * The script behind `/install/agent.sh`. A Node.js that is there already is used; where there is none, or an old one,
 * the executable that carries its own.
 */
export function agentInstallScript(facts: InstallScriptFacts & { executables: readonly AgentExecutable[] }): string {
  return installScript(facts, {
    name: 'picket-agent',
    script: 'agent.sh',
    tokenFrom: 'Picket makes one (POST /v1/servers/join-tokens)',
    removed: 'removed; in Picket the server stays, offline, until it is deleted there',
    capabilities: '--inh-caps=-all --bounding-set=-all',
    settings: ['PICKET_AGENT_INTERVAL_SECONDS=10', 'PICKET_AGENT_SPOOL_BYTES=268435456', 'PICKET_LOG_LEVEL=info'],
    choose: `  choose() {
    if find_node; then
      package=${shellQuote(facts.package.name)} sha256=${shellQuote(facts.package.sha256)}
      interpreter=$node file=picket-agent.cjs
      return 0
    fi
    for musl in /lib/ld-musl-*; do
      if [ -e "$musl" ]; then fail "$why: the executable without it needs glibc, and this system has musl (Alpine: apk add nodejs)"; fi
    done
    interpreter='' file=picket-agent
    case $(uname -m) in
${facts.executables.map(executableCase).join('')}      *) fail "$why: there is no executable without it for $(uname -m) here" ;;
    esac
  }`,
    service: [
      'CapabilityBoundingSet=',
      // It has to see what it measures: every process, and every file system with its own size. ProtectHome=yes,
      // PrivateTmp and ProtectProc=invisible would put others in their place; a private host name would grow old.
      'ProtectHome=read-only',
      // A watcher that takes the machine's memory or its processes does harm itself.
      ...['MemoryMax=256M', 'TasksMax=128'],
      ...hardening(),
    ],
  });
}

function executableCase({ machines, name, sha256 }: AgentExecutable): string {
  return `      ${machines.join(' | ')}) package=${shellQuote(name)} sha256=${shellQuote(sha256)} ;;\n`;
}
