import { Gauge, type Registry } from 'prom-client';
import type { NodeRecord } from '../../nodes.js';
import { createBytePool } from './byte-pool.js';
import { type Credit, createCredit } from './credit.js';

/** For what agents may send. */
const CREDIT_SHARE = 0.25;
/**
 * For what they send beyond that, which an agent of this version does not do. The rest is for records in work: their
 * objects, and what the database gets.
 */
const OVERDRAFT_SHARE = 1 / 32;
/** For small batches in work: a node that sends one sample does not wait behind nodes that deliver a backlog. */
const SMALL_SHARE = 0.125;
/** A few samples. */
const SMALL_BATCH_BYTES_MAX = 16 * 1024;
/** A sample of 1 KiB becomes about 16 KiB of objects, and the document to store. */
const DECODED_FACTOR = 16;

/** The memory for what nodes send and what is decoded of it. */
export interface IngestMemory {
  /** Of agents. Probes are few. */
  credit: Credit;
  /** Runs `work` once there is memory for the decoded records. Resolves to null when `signal` is aborted before. */
  decode<T>(records: readonly NodeRecord[], signal: AbortSignal, work: () => Promise<T>): Promise<T | null>;
}

export function createIngestMemory({ bytesMax, registry }: { bytesMax: number; registry: Registry }): IngestMemory {
  const creditBytes = Math.floor(bytesMax * CREDIT_SHARE);
  const overdraftBytes = Math.floor(bytesMax * OVERDRAFT_SHARE);
  const credit = createCredit(creditBytes, overdraftBytes);
  const smallBytes = Math.floor(bytesMax * SMALL_SHARE);
  const small = createBytePool(smallBytes);
  const large = createBytePool(bytesMax - creditBytes - overdraftBytes - smallBytes);
  measure(registry, credit, () => small.usedBytes() + large.usedBytes());
  return {
    credit,
    async decode(records, signal, work) {
      const sentBytes = records.reduce((sum, record) => sum + record.bytes.length, 0);
      const bytes = sentBytes * DECODED_FACTOR;
      const pool = sentBytes <= SMALL_BATCH_BYTES_MAX && small.isFree(bytes) ? small : large;
      const release = await pool.reserve(bytes, signal);
      if (release === null) return null;
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}

function measure(registry: Registry, credit: Credit, decodedBytes: () => number): void {
  new Gauge({
    name: 'picket_ingest_memory_bytes',
    help: 'Memory for records of nodes: granted for what agents may send, overdrawn by what they sent beyond that, and used for decoded records.',
    labelNames: ['use'],
    registers: [registry],
    collect() {
      this.set({ use: 'granted' }, credit.grantedBytes());
      this.set({ use: 'overdrawn' }, credit.overdrawnBytes());
      this.set({ use: 'decoded' }, decodedBytes());
    },
  });
}
