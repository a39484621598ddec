import { Gauge, type Registry } from 'prom-client';
import type { NodeRecord } from '../../nodes.js';
import { type BytePool, createBytePool } from './byte-pool.js';
import { type Credit, createCredit } from './credit.js';

/** For what agents may send. */
const CREDIT_SHARE = 0.25;
/** For what they send beyond that. The rest is for records in work: their objects, and what the database gets. */
const OVERDRAFT_SHARE = 0.125;
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
  const decoded = createBytePool(bytesMax - creditBytes - overdraftBytes);
  measure(registry, credit, decoded);
  return {
    credit,
    async decode(records, signal, work) {
      const bytes = records.reduce((sum, record) => sum + record.bytes.length, 0);
      const release = await decoded.reserve(bytes * DECODED_FACTOR, signal);
      if (release === null) return null;
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}

function measure(registry: Registry, credit: Credit, decoded: BytePool): void {
  new Gauge({
    name: 'picket_ingest_memory_bytes',
    help: 'Memory for records of nodes: granted for what agents may send, overdrawn by what they sent beyond that, and used for decoded records.',
    labelNames: ['use'],
    registers: [registry],
    collect() {
      this.set({ use: 'granted' }, credit.grantedBytes());
      this.set({ use: 'overdrawn' }, credit.overdrawnBytes());
      this.set({ use: 'decoded' }, decoded.usedBytes());
    },
  });
}
