import type { ProbeIdentity, ProbeScans } from '../../../control-plane/nodes/nodes.js';
import { createProbeScans } from '../../../control-plane/nodes/probes/scans.js';
import type { ProbeSessions } from '../../../control-plane/nodes/probes/sessions.js';
import { systemClock } from '../../../kernel/clock.js';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { systemRandom } from '../../../kernel/random.js';
import { createTlsContexts } from '../../../probe/checks/tls/contexts.js';
import { createResolver } from '../../../probe/resolve.js';
import { createScan } from '../../../probe/scan/scan.js';
import type { ScanResult, ScanResult__Output } from '../../../proto/generated/picket/link/v1/ScanResult.js';
import type { ScanTask } from '../../../proto/generated/picket/link/v1/ScanTask.js';
import { messageType } from '../../../proto/load.js';
import { logCollector } from '../monitors/log-collector.js';

export interface ScanningProbe extends ProbeScans {
  /** What was asked of the probe so far. */
  tasks: ScanTask[];
  /** Which probe was asked, for each of `tasks`. */
  asked: string[];
  /** How many probes are connected, all in Frankfurt. */
  probes: number;
  /** `works`: it scans. `killed`: it takes tasks and never answers. `gone`: it is not connected. */
  mode: 'works' | 'killed' | 'gone';
  /** Delivers a result, as the stream does. */
  deliver(result: ScanResult): void;
  /** Resolves when no scan runs. */
  idle(): Promise<void>;
}

const NODES = ['prb_01kf5e6q0h3v8r2m9x4t7c1z5n', 'prb_01kf5e6q0h3v8r2m9x4t7c1z5p'].map(
  (nodeId): ProbeIdentity => ({ nodeId, kind: 'probe', location: 'fra' }),
);

/** The scans of a real probe, with real sockets, without the stream in between. Its messages are encoded and decoded. */
export function scanningProbe(options: {
  extraCaPem?: string;
  ports?: number[];
  allowPrivate?: boolean;
}): ScanningProbe {
  const type = messageType('ScanResult');
  const scan = createScan({
    guard: createTargetGuard({ allowPrivate: options.allowPrivate ?? true }),
    resolver: createResolver({
      clock: systemClock,
      servers: null,
      hostsPath: '/etc/hosts',
      resolvConfPath: '/etc/resolv.conf',
    }),
    clock: systemClock,
    random: systemRandom,
    tlsContexts: createTlsContexts(options.extraCaPem ?? null),
    userAgent: 'Picket/test (+https://picket.invalid/probe; fra)',
    ...(options.ports === undefined ? {} : { ports: options.ports }),
  });
  const running = new Set<Promise<void>>();
  const connected = () =>
    NODES.slice(0, probe.mode === 'gone' ? 0 : probe.probes).map((node) => ({
      drained: false,
      session: { node, offer: ({ scan: task }: { scan: ScanTask }) => begin(node, task) },
    }));
  const sessions = {
    all: connected,
    get: (nodeId: string) => connected().find(({ session }) => session.node.nodeId === nodeId),
  } as unknown as ProbeSessions;
  const relay = createProbeScans({ sessions, logger: logCollector().logger });

  function begin(node: ProbeIdentity, task: ScanTask): boolean {
    probe.tasks.push(task);
    probe.asked.push(node.nodeId);
    if (probe.mode === 'killed') return true;
    const work = scan(decodedTask(task), new AbortController().signal).then(probe.deliver);
    running.add(work);
    void work.finally(() => running.delete(work));
    return true;
  }

  const probe: ScanningProbe = {
    ...relay,
    tasks: [],
    asked: [],
    probes: 1,
    mode: 'works',
    deliver(result) {
      const bytes = type.encode(type.fromObject(result)).finish();
      const decoded = type.toObject(type.decode(bytes), { longs: Number, enums: String, defaults: true, oneofs: true });
      const task = probe.tasks.findIndex(
        ({ scanId, attempt }) => scanId === result.scanId && attempt === result.attempt,
      );
      const node = NODES.find(({ nodeId }) => nodeId === probe.asked[task]);
      if (node !== undefined) relay.received(node, decoded as ScanResult__Output, bytes.length);
    },
    async idle() {
      await Promise.all(running);
    },
  };
  return probe;
}

function decodedTask({ scanId = '', attempt = 0, url = '', timeoutMs = 0 }: ScanTask) {
  return { scanId, attempt, url, timeoutMs };
}
