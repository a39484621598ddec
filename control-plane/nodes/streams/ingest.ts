import type { Clock } from '../../../kernel/clock.js';
import type { NodeIdentity, RecordHandler, RecordRejection } from '../nodes.js';
import type { ReadBatch } from './batch.js';

/** Beyond the one being handled. A node has at most eight unacknowledged, so one that keeps to it is never paused. */
export const BATCHES_WAITING_MAX = 8;

interface Dependencies<N extends NodeIdentity> {
  node: N;
  handler: RecordHandler<N>;
  clock: Clock;
  /** What the node's stream before this one still has in hand: batches of a node are handled strictly in order. */
  after(): Promise<void>;
  onAck(upToSeq: number, rejections: RecordRejection[]): void;
  /** The handler could not store a batch. Nothing is acknowledged from then on. */
  onFailure(error: unknown): void;
  /** Whether more batches may be read from the stream. */
  onReading(open: boolean): void;
}

/** The batches of one stream, handled one after another. */
export interface Ingest {
  take(batch: ReadBatch): void;
  /** Resolves when all that was taken is handled or given up. Never rejects. */
  idle(): Promise<void>;
  /** Batches that wait are given up: the node sends them again. The one in hand is finished. */
  stop(): void;
}

export function createIngest<N extends NodeIdentity>(dependencies: Dependencies<N>): Ingest {
  const { node, handler, clock, after, onAck, onFailure, onReading } = dependencies;
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
    // Here and not in a later turn: a batch that comes in between would wait for the one after it.
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
