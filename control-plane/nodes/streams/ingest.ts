import type { Clock } from '../../../kernel/clock.js';
import type { Random } from '../../../kernel/random.js';
import { UNACKNOWLEDGED_BATCHES_MAX } from '../../../proto/limits.js';
import type { NodeIdentity, NodeRecord, RecordHandler, RecordRejection } from '../nodes.js';
import type { ReadBatch } from './batch.js';
import type { HoldBatch } from './hold/held-batches.js';
import { holdWhileUnavailable } from './hold/hold-while-unavailable.js';
import type { ReadingGate } from './limits/reading-gate.js';
import type { StreamCredit } from './memory/credit.js';
import type { IngestMemory } from './memory/ingest-memory.js';

/** In addition to the batch in progress, so a node that keeps its limit is never paused. */
const BATCHES_WAITING_MAX = UNACKNOWLEDGED_BATCHES_MAX;

interface IngestNeeds<N extends NodeIdentity> {
  node: N;
  handler: RecordHandler<N>;
  clock: Clock;
  random: Random;
  holdBatch: HoldBatch;
  memory: Pick<IngestMemory, 'decode'>;
  credit: Pick<StreamCredit, 'hold' | 'release' | 'isOverdrawn'>;
  /** Resolves when the batches of the node's previous stream are handled: batches of a node are handled in order. */
  after(): Promise<void>;
  onAck(upToSeq: number, rejections: RecordRejection[]): void;
  /** Called when the handler failed to store a batch. Nothing is acknowledged after that. */
  onFailure(error: unknown): void;
  /** Called when the node has sent more than it may and there is no memory for it. The batch is dropped. */
  onOverdraft(): void;
  /** Held while too many batches wait, or more than the node may send. */
  gate: ReadingGate;
}

/** The batches of one stream, handled one after another. */
export interface Ingest {
  take(batch: ReadBatch): void;
  /** Resolves when all batches are handled or dropped. Never rejects. */
  idle(): Promise<void>;
  /** Drops batches that would have to wait, for the budget of the node or the database, and handles the others. */
  finish(): void;
  /** Drops waiting batches, which the node sends again. The batch in progress is finished. */
  stop(): void;
}

export function createIngest<N extends NodeIdentity>(needs: IngestNeeds<N>): Ingest {
  const { node, handler, clock, credit, after, onAck, onFailure, gate } = needs;
  const waiting: { batch: ReadBatch; receivedAtMs: number }[] = [];
  const finishing = new AbortController();
  let work: Promise<void> | null = null;
  let stopped = false;
  function read(): void {
    if (waiting.length < BATCHES_WAITING_MAX) gate.release('batches');
    else gate.hold('batches');
    if (credit.isOverdrawn()) gate.hold('memory');
    else gate.release('memory');
  }

  /** Resolves to false when the batch must be dropped. */
  async function isTurn(records: readonly NodeRecord[]): Promise<boolean> {
    const delayMs = records.length === 0 ? 0 : handler.delayMs(node, records);
    if (delayMs > 0) await clock.sleep(delayMs, finishing.signal);
    return !stopped && !(delayMs > 0 && finishing.signal.aborted);
  }

  async function handleAll(): Promise<void> {
    await after();
    for (let next = waiting.shift(); next !== undefined && !stopped; next = waiting.shift()) {
      read();
      const { batch, receivedAtMs } = next;
      try {
        if (!(await isTurn(batch.records))) break;
        const refused = await store(needs, { records: batch.records, receivedAtMs }, finishing.signal);
        if (refused === null) break;
        credit.release(bytesOf(batch));
        read();
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
      if (stopped || finishing.signal.aborted) return;
      if (!credit.hold(bytesOf(batch))) return needs.onOverdraft();
      waiting.push({ batch, receivedAtMs: clock.now() });
      read();
      work ??= handleAll();
    },
    idle: () => work ?? Promise.resolve(),
    finish: () => finishing.abort(),
    stop() {
      stopped = true;
      finishing.abort();
      waiting.length = 0;
    },
  };
}

/**
 * Stores the records. Until there is memory and the database is available, the batch is held and its stream stays open.
 * Resolves to null when it must be dropped.
 */
async function store<N extends NodeIdentity>(
  { node, handler, clock, random, holdBatch, memory }: IngestNeeds<N>,
  { records, receivedAtMs }: { records: NodeRecord[]; receivedAtMs: number },
  signal: AbortSignal,
): Promise<RecordRejection[] | null> {
  if (records.length === 0) return [];
  const onHold = () => holdBatch(node.kind);
  return holdWhileUnavailable({ clock, random, signal, onHold }, () =>
    memory.decode(records, signal, () => handler.accept(node, records, receivedAtMs)),
  );
}

function bytesOf({ records }: ReadBatch): number {
  return records.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
