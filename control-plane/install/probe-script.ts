import { hardening, type InstallScriptFacts, installScript } from './script.js';
import { shellQuote } from './shell.js';

/** Returns the script of `/install/probe.sh`. */
export function probeInstallScript(facts: InstallScriptFacts): string {
  return installScript(facts, {
    name: 'picket-probe',
    script: 'probe.sh',
    tokenFrom: 'an operator creates a token with POST /v1/admin/probes/join-tokens',
    removed: 'removed',
    capabilities: '--inh-caps=-all,+net_raw --ambient-caps=+net_raw',
    settings: ['PICKET_ALLOW_PRIVATE_TARGETS=0', 'PICKET_PROBE_SPOOL_BYTES=1073741824', 'PICKET_LOG_LEVEL=info'],
    choose: `  choose() {
    find_node || fail "$why"
    package=${shellQuote(facts.package.name)} sha256=${shellQuote(facts.package.sha256)}
    interpreter=$node file=probe/picket-probe.mjs
  }`,
    service: [
      ...['AmbientCapabilities=CAP_NET_RAW', 'CapabilityBoundingSet=CAP_NET_RAW'],
      ...['ProtectHome=yes', 'PrivateTmp=yes', 'ProtectHostname=yes', 'ProtectProc=invisible'],
      ...hardening(),
    ],
  });
}
