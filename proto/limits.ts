/** Limits that a node keeps and that the control plane enforces. */

/** Records of one batch. */
export const BATCH_RECORDS_MAX = 500;
/** Bytes of the records of one batch. */
export const BATCH_BYTES_MAX = 1024 * 1024;
/** Bytes of one record. */
export const RECORD_BYTES_MAX = 64 * 1024;
/** Batches that a node sends before the first of them is acknowledged. */
export const UNACKNOWLEDGED_BATCHES_MAX = 8;

/** Time between two samples of an agent. */
export const SAMPLE_INTERVAL_SECONDS = { default: 10, min: 1, max: 300 } as const;
/** Values of one sample. The agent leaves out further ones; the control plane drops them. */
export const SAMPLE_VALUES_MAX = 600;
