import { Counter, type Registry } from 'prom-client';
import type { NodeIdentity } from '../nodes.js';

/** Counts what streams of nodes do, for `/metrics`. */
export interface StreamMetrics {
  /** `reason` is one of a few codes. */
  messageRefused(kind: NodeIdentity['kind'], reason: string): void;
}

export function createStreamMetrics(registry: Registry): StreamMetrics {
  const refused = new Counter({
    name: 'picket_node_messages_refused_total',
    help: 'Messages of probes and agents that exceeded a limit of the protocol, by kind of node and reason.',
    labelNames: ['kind', 'reason'],
    registers: [registry],
  });
  return { messageRefused: (kind, reason) => refused.inc({ kind, reason }) };
}
