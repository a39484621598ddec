import { status } from '@grpc/grpc-js';
import type { Clock, Timer } from '../../../kernel/clock.js';
import type { Random } from '../../../kernel/random.js';
import type { NodeIdentity, RecordHandler } from '../nodes.js';
import type { HoldBatch } from './hold/held-batches.js';
import { createIdleWatch, type IdleWatch } from './idle-watch.js';
import { createIngest, type Ingest } from './ingest.js';
import { createReadingGate, type ReadingGate } from './limits/reading-gate.js';
import type { StreamCredit } from './memory/credit.js';
import type { IngestMemory } from './memory/ingest-memory.js';
import { createSessionMachine, isReading, type SessionMachine } from './session-state.js';
import type { NodeStream, StreamEnd } from './stream.js';
import { createStreamWriter, type StreamWriter } from './writer.js';

const IDLE_MS_MAX = 25_000;
/** A stream counts as closed this long after its end, even if the node no longer reads. */
const ENDING_MS_MAX = 8_000;

interface FlowNeeds<N extends NodeIdentity> {
  stream: NodeStream;
  node: N;
  handler: RecordHandler<N>;
  clock: Clock;
  random: Random;
  holdBatch: HoldBatch;
  memory: Pick<IngestMemory, 'decode'>;
  credit: StreamCredit;
  /** Resolves when the batches of the node's previous stream are handled. */
  previousBatches(): Promise<void>;
  onStorageError(error: unknown): void;
}

/** The state of a stream, its two directions, and the ways to end it. */
export interface Flow {
  machine: SessionMachine;
  writer: StreamWriter;
  ingest: Ingest;
  watch: IdleWatch;
  /** Whether messages of the node are read. */
  gate: ReadingGate;
  /** Ends the stream once the batches in progress are stored and acknowledged. */
  finish(end: StreamEnd): void;
  /** Sends the refusal to the node and ends the stream. Waiting batches are dropped. Without a time, the node decides. */
  refuse(code: string, detail: string, grpcCode: status, retryAfterMs?: number): void;
  closed: Promise<void>;
}

export function createFlow<N extends NodeIdentity>(needs: FlowNeeds<N>): Flow {
  const { stream, clock } = needs;
  let resolveClosed: () => void = () => {};
  const closed = new Promise<void>((resolve) => {
    resolveClosed = resolve;
  });
  const machine = createSessionMachine((state) => {
    if (state === 'live' && gate.isOpen()) stream.resume();
    if (state === 'claiming' || state === 'finishing') stream.pause();
    if (state !== 'closed') return;
    watch.stop();
    ingest.stop();
    needs.credit.close();
    // Later messages of the node must be read and dropped, or they fill the flow control window of the connection.
    stream.resume();
    resolveClosed();
  });
  const end = createEnding(stream, clock, () => machine.transition('closed'));
  const writer = createStreamWriter(stream, () => {
    end({ code: status.RESOURCE_EXHAUSTED, details: 'the node reads too slowly' });
  });
  const finish = (streamEnd: StreamEnd) => {
    if (!machine.transition('finishing')) return;
    ingest.finish();
    void ingest.idle().then(() => writer.whenFlushed(() => end(streamEnd)));
  };
  const watch = createIdleWatch(clock, IDLE_MS_MAX, () => {
    if (isReading(machine.state())) finish({ code: status.UNAVAILABLE, details: 'the node was silent for 25 s' });
  });
  const gate = createReadingGate((open) => {
    watch.suspend(!open);
    if (!open) stream.pause();
    else if (isReading(machine.state())) stream.resume();
  });
  const ingest = createIngest({
    ...{ ...needs, after: needs.previousBatches, gate },
    onAck(upToSeq, rejections) {
      if (machine.state() !== 'closed')
        writer.write({ ack: { upToSeq, rejections, windowBytes: needs.credit.renew() } });
    },
    onOverdraft() {
      finish({ code: status.RESOURCE_EXHAUSTED, details: 'the node sent more than it was granted; retry' });
    },
    onFailure(error) {
      needs.onStorageError(error);
      finish({ code: status.UNAVAILABLE, details: 'storing records failed' });
    },
  });
  return {
    ...{ machine, writer, ingest, watch, gate, finish, closed },
    refuse(code, detail, grpcCode, retryAfterMs = 0) {
      if (!machine.transition('finishing')) return;
      ingest.stop();
      writer.write({ refused: { code, detail, retryAfterMs } });
      writer.whenFlushed(() => end({ code: grpcCode, details: `${code}: ${detail}` }));
    },
  };
}

/**
 * Returns a function that ends the writing half once. The stream closes when the node has read the status, or after a
 * timeout.
 */
function createEnding(stream: NodeStream, clock: Clock, onTimeout: () => void): (end: StreamEnd) => void {
  let timer: Timer | null = null;
  return (end) => {
    if (timer !== null) return;
    timer = clock.after(ENDING_MS_MAX, onTimeout);
    if (end.code === status.OK) stream.end();
    else stream.emit('error', end);
  };
}
