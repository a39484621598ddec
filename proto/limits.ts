/** Limits that a node keeps and that the control plane enforces. */

/** Records of one batch. */
export const BATCH_RECORDS_MAX = 500;
/** Bytes of the records of one batch. */
export const BATCH_BYTES_MAX = 1024 * 1024;
/**
 * Bytes of one message of a node on the wire: the records of the largest batch, and what protobuf adds to each (a tag
 * and a length of at most four bytes together).
 */
export const MESSAGE_BYTES_MAX = BATCH_BYTES_MAX + 4 * 1024;
/** Bytes of one record. */
export const RECORD_BYTES_MAX = 64 * 1024;
/** Batches that a node sends before the first of them is acknowledged. */
export const UNACKNOWLEDGED_BATCHES_MAX = 8;

/** Time between two samples of an agent. */
export const SAMPLE_INTERVAL_SECONDS = { default: 10, min: 1, max: 300 } as const;
/** Values of one sample. The agent leaves out further ones; the control plane drops them. */
export const SAMPLE_VALUES_MAX = 600;
/** Addresses of one network interface in an inventory. The agent leaves out further ones. */
export const INTERFACE_ADDRESSES_MAX = 20;

/**
 * Elements of each repeated field that the control plane decodes. The limits are above what any node sends, because a
 * message that exceeds one is refused as a whole, before a single element is decoded.
 */
export const REPEATED_MAX: Readonly<Record<string, number>> = {
  'Batch.records': 2 * BATCH_RECORDS_MAX,
  'Inventory.disks': 1_000,
  'Inventory.interfaces': 1_000,
  'NetworkInterface.addresses': 1_000,
  'ProcessSample.byCpu': 100,
  'ProcessSample.byMemory': 100,
  'MetricSample.values': 4 * SAMPLE_VALUES_MAX,
  'ScanResult.files': 100,
  'ScanResult.ports': 100,
  'ScanPage.headers': 100,
  'ScanPage.cookies': 100,
  'ScanPage.mixedActive': 100,
  'ScanPage.mixedPassive': 100,
  'ScanTls.offers': 100,
};
/** Fields of one message of a node, including those of the messages in it. */
export const MESSAGE_FIELDS_MAX = 50_000;
