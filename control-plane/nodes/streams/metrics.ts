import { Counter, Gauge, type Registry } from 'prom-client';
import { startAtZero } from '../../start-at-zero.js';
import type { NodeIdentity } from '../nodes.js';

const KINDS: readonly NodeIdentity['kind'][] = ['probe', 'agent'];
const REASONS = ['message_refused', 'batch_malformed', 'batch_too_large', 'record_empty', 'record_too_large'];
const REASONS_OF_AGENTS = ['inventory_too_large', 'processes_too_large'];

/** Counts what streams of nodes do, for `/metrics`. */
export interface StreamMetrics {
  /** Counts a message or one of its records. `reason` is one of a few codes. */
  messageRefused(kind: NodeIdentity['kind'], reason: string): void;
  /** Counts a stream that was refused because its node had opened too many. */
  streamRefused(): void;
  /** Changes the number of batches that wait until the database is available. */
  batchesHeld(kind: NodeIdentity['kind'], change: 1 | -1): void;
}

export function createStreamMetrics(registry: Registry): StreamMetrics {
  const refused = new Counter({
    name: 'picket_node_messages_refused_total',
    help: 'Messages of probes and agents, and records in them, that exceeded a limit of the protocol, by kind of node and reason.',
    labelNames: ['kind', 'reason'],
    registers: [registry],
  });
  const streams = new Counter({
    name: 'picket_node_streams_refused_total',
    help: 'Streams that were refused because their node opened too many in a short time.',
    registers: [registry],
  });
  const held = new Gauge({
    name: 'picket_node_batches_held',
    help: 'Batches of probes and agents that wait until the database is available, by kind of node.',
    labelNames: ['kind'],
    registers: [registry],
  });
  for (const kind of KINDS) {
    held.set({ kind }, 0);
    const reasons = kind === 'agent' ? [...REASONS, ...REASONS_OF_AGENTS] : REASONS;
    startAtZero(
      refused,
      reasons.map((reason) => ({ kind, reason })),
    );
  }
  return {
    messageRefused: (kind, reason) => refused.inc({ kind, reason }),
    streamRefused: () => streams.inc(),
    batchesHeld: (kind, change) => held.inc({ kind }, change),
  };
}
