import type { Batch__Output } from '../../../proto/generated/picket/link/v1/Batch.js';
import { BATCH_BYTES_MAX, BATCH_RECORDS_MAX, RECORD_BYTES_MAX } from '../../../proto/limits.js';
import type { NodeRecord, RecordRejection } from '../nodes.js';

/** A batch to handle. `rejections` are records that are refused without asking the handler. */
export interface ReadBatch {
  records: NodeRecord[];
  rejections: RecordRejection[];
  upToSeq: number;
}

export type BatchRefusal = { code: 'batch_too_large' | 'batch_malformed'; detail: string };

/**
 * Returns the records of a batch, or why the batch is refused. A record that is too large is rejected by its number, so
 * that it does not block the spool. A malformed batch has no number to acknowledge, so the whole batch is refused.
 */
export function readBatch(batch: Batch__Output): ReadBatch | BatchRefusal {
  const { firstSeq, records: encoded } = batch;
  const refuse = (code: BatchRefusal['code'], detail: string) => ({ code, detail });
  if (encoded.length === 0) return refuse('batch_malformed', 'a batch must have at least one record');
  if (encoded.length > BATCH_RECORDS_MAX) {
    return refuse('batch_too_large', `it has ${encoded.length} records, more than ${BATCH_RECORDS_MAX}`);
  }
  const bytes = encoded.reduce((sum, record) => sum + record.length, 0);
  if (bytes > BATCH_BYTES_MAX)
    return refuse('batch_too_large', `its records have ${bytes} bytes, more than ${BATCH_BYTES_MAX}`);
  // The sum is not compared, because it would be rounded above the safe integers.
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
