import type { Logger } from '../../../kernel/logger.js';
import type { ScanResult__Output } from '../../../proto/generated/picket/link/v1/ScanResult.js';
import type { ProbeIdentity, ProbeScans } from '../nodes.js';
import { rendezvousOwner } from './rendezvous.js';
import type { ProbeSessions } from './sessions.js';

/** Ten times what the longest result has. */
const RESULT_BYTES_MAX = 128 * 1024;

export interface ProbeScanRelay extends ProbeScans {
  /** Passes a result on; ignores one that is too large. */
  received(node: ProbeIdentity, result: ScanResult__Output, wireBytes: number): void;
}

/** Returns the way of security scans to the probes that are connected to this control plane. */
export function createProbeScans(needs: { sessions: ProbeSessions; logger: Logger }): ProbeScanRelay {
  const { sessions, logger } = needs;
  let listener: Parameters<ProbeScans['onResult']>[0] | null = null;
  return {
    locations: (isFree) => [
      ...new Set(
        sessions
          .all()
          .filter(({ session, drained }) => !drained && isFree(session.node.nodeId))
          .map(({ session }) => session.node.location),
      ),
    ],
    choose(locations, key, isFree) {
      const able = sessions
        .all()
        .filter(({ session, drained }) => !drained && locations.includes(session.node.location))
        .filter(({ session }) => isFree(session.node.nodeId));
      const nodeIds = able.map(({ session }) => session.node.nodeId);
      const owner = rendezvousOwner(key, nodeIds);
      return able.find(({ session }) => session.node.nodeId === owner)?.session.node ?? null;
    },
    start: (nodeId, task) => sessions.get(nodeId)?.session.offer({ scan: task }) ?? false,
    onResult(next) {
      listener = next;
    },
    received(node, result, wireBytes) {
      if (wireBytes > RESULT_BYTES_MAX)
        logger.warn({ node, bytes: wireBytes }, 'ignoring the result of a scan that is too large');
      else listener?.(node, result);
    },
  };
}
