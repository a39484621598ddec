import type { Batch__Output } from '../../../proto/generated/picket/link/v1/Batch.js';
import type { NodeRecord, RecordRejection } from '../nodes.js';

/** A node that keeps to the protocol never meets one of these. */
export const BATCH_RECORDS_MAX = 500;
export const BATCH_BYTES_MAX = 1_048_576;
export const RECORD_BYTES_MAX = 65_536;

/** A batch that can be handled. `rejections` are the records that need no handler to be refused. */
export interface ReadBatch {
  records: NodeRecord[];
  rejections: RecordRejection[];
  upToSeq: number;
}

export type BatchRefusal = { code: 'batch_too_large' | 'batch_malformed'; detail: string };

/**
 * A single record that is too large is refused by its number, so that it cannot hold up the spool behind it. A
 * batch that is wrong as a whole has no number that could be acknowledged: it is refused by name.
 */
export function readBatch(batch: Batch__Output): ReadBatch | BatchRefusal {
  const { firstSeq, records: encoded } = batch;
  const refuse = (code: BatchRefusal['code'], detail: string) => ({ code, detail });
  if (encoded.length === 0) return refuse('batch_malformed', 'a batch holds at least one record');
  if (encoded.length > BATCH_RECORDS_MAX) {
    return refuse('batch_too_large', `${encoded.length} records; at most ${BATCH_RECORDS_MAX}`);
  }
  const bytes = encoded.reduce((sum, record) => sum + record.length, 0);
  if (bytes > BATCH_BYTES_MAX)
    return refuse('batch_too_large', `${bytes} bytes of records; at most ${BATCH_BYTES_MAX}`);
  // Not by looking at the sum: beyond the safe integers it would be rounded to one.
  if (!Number.isSafeInteger(firstSeq) || firstSeq < 0 || firstSeq > Number.MAX_SAFE_INTEGER - encoded.length) {
    return refuse('batch_malformed', 'first_seq is out of range');
  }
  const records: NodeRecord[] = [];
  const rejections: RecordRejection[] = [];
  for (const [index, record] of encoded.entries()) {
    const seq = firstSeq + index;
    if (record.length === 0) rejections.push({ seq, reason: 'record_empty' });
    else if (record.length > RECORD_BYTES_MAX) rejections.push({ seq, reason: 'record_too_large' });
    else records.push({ seq, bytes: record });
  }
  return { records, rejections, upToSeq: firstSeq + encoded.length - 1 };
}
