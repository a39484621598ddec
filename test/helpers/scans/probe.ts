import type { ProbeIdentity, ProbeScans } from '../../../control-plane/nodes/nodes.js';
import { systemClock } from '../../../kernel/clock.js';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { systemRandom } from '../../../kernel/random.js';
import { createTlsContexts } from '../../../probe/checks/tls/contexts.js';
import { createResolver } from '../../../probe/resolve.js';
import { createScan } from '../../../probe/scan/scan.js';
import type { ScanResult, ScanResult__Output } from '../../../proto/generated/picket/link/v1/ScanResult.js';
import type { ScanTask } from '../../../proto/generated/picket/link/v1/ScanTask.js';
import { messageType } from '../../../proto/load.js';

export interface ScanningProbe extends ProbeScans {
  /** What was asked of the probe so far. */
  tasks: ScanTask[];
  /** `works`: it scans. `killed`: it takes tasks and never answers. `gone`: it is not connected. */
  mode: 'works' | 'killed' | 'gone';
  /** Delivers a result, as the stream does. */
  deliver(result: ScanResult): void;
  /** Resolves when no scan runs. */
  idle(): Promise<void>;
}

const NODE: ProbeIdentity = { nodeId: 'prb_01kf5e6q0h3v8r2m9x4t7c1z5n', kind: 'probe', location: 'fra' };

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
  let listener: Parameters<ProbeScans['onResult']>[0] = () => {};
  const probe: ScanningProbe = {
    tasks: [],
    mode: 'works',
    locations: () => (probe.mode === 'gone' ? [] : [NODE.location]),
    choose: (locations) => (probe.mode !== 'gone' && locations.includes(NODE.location) ? NODE : null),
    start(_nodeId, task) {
      probe.tasks.push(task);
      if (probe.mode === 'killed') return true;
      const work = scan(decodedTask(task), new AbortController().signal).then(probe.deliver);
      running.add(work);
      void work.finally(() => running.delete(work));
      return true;
    },
    deliver(result) {
      const decoded = type.toObject(type.decode(type.encode(type.fromObject(result)).finish()), {
        ...{ longs: Number, enums: String, defaults: true, oneofs: true },
      });
      listener(NODE, decoded as ScanResult__Output);
    },
    onResult(next) {
      listener = next;
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
