import type { Clock } from '../../../kernel/clock.js';
import { UNACKNOWLEDGED_BATCHES_MAX } from '../../../proto/limits.js';
import type { NodeIdentity, RecordHandler, RecordRejection } from '../nodes.js';
import type { ReadBatch } from './batch.js';

/** In addition to the batch in progress, so a node that keeps its limit is never paused. */
const BATCHES_WAITING_MAX = UNACKNOWLEDGED_BATCHES_MAX;

interface IngestNeeds<N extends NodeIdentity> {
  node: N;
  handler: RecordHandler<N>;
  clock: Clock;
  /** Resolves when the batches of the node's previous stream are handled: batches of a node are handled in order. */
  after(): Promise<void>;
  onAck(upToSeq: number, rejections: RecordRejection[]): void;
  /** Called when the handler failed to store a batch. Nothing is acknowledged after that. */
  onFailure(error: unknown): void;
  /** Called when reading from the stream must be paused or may continue. */
  onReading(open: boolean): void;
}

/** The batches of one stream, handled one after another. */
export interface Ingest {
  take(batch: ReadBatch): void;
  /** Resolves when all batches are handled or dropped. Never rejects. */
  idle(): Promise<void>;
  /** Drops waiting batches, which the node sends again. The batch in progress is finished. */
  stop(): void;
}

export function createIngest<N extends NodeIdentity>(needs: IngestNeeds<N>): Ingest {
  const { node, handler, clock, after, onAck, onFailure, onReading } = needs;
  const waiting: { batch: ReadBatch; receivedAtMs: number }[] = [];
  let work: Promise<void> | null = null;
  let stopped = false;
  let reading = true;
  const read = (open: boolean) => {
    if (open === reading) return;
    reading = open;
    onReading(open);
  };
  async function handleAll(): Promise<void> {
    await after();
    for (let next = waiting.shift(); next !== undefined && !stopped; next = waiting.shift()) {
      read(waiting.length < BATCHES_WAITING_MAX);
      const { batch, receivedAtMs } = next;
      try {
        const refused = batch.records.length === 0 ? [] : await handler.accept(node, batch.records, receivedAtMs);
        onAck(batch.upToSeq, [...batch.rejections, ...refused]);
      } catch (error) {
        stopped = true;
        onFailure(error);
      }
    }
    waiting.length = 0;
    // Reset synchronously: a batch that arrives before a later reset would wait until the next batch.
    work = null;
  }
  return {
    take(batch) {
      if (stopped) return;
      waiting.push({ batch, receivedAtMs: clock.now() });
      read(waiting.length < BATCHES_WAITING_MAX);
      work ??= handleAll();
    },
    idle: () => work ?? Promise.resolve(),
    stop() {
      stopped = true;
      waiting.length = 0;
    },
  };
}
