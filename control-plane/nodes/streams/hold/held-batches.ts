import type { Logger } from '../../../../kernel/logger.js';
import type { NodeIdentity } from '../../nodes.js';
import type { StreamMetrics } from '../metrics.js';

/** Called when a batch is held because the database is unavailable. Returns the function to call when that ends. */
export type HoldBatch = (kind: NodeIdentity['kind']) => () => void;

/** Counts held batches. Writes one line to the log when the first one is held, and one when none is. */
export function createHeldBatches({ metrics, logger }: { metrics: StreamMetrics; logger: Logger }): HoldBatch {
  let held = 0;
  return (kind) => {
    if (held === 0) {
      logger.warn('the database is unavailable: holding the batches of nodes and retrying for up to 30 s');
    }
    held += 1;
    metrics.batchesHeld(kind, 1);
    return () => {
      held -= 1;
      metrics.batchesHeld(kind, -1);
      // Not the end of the outage: after 30 s, batches go back to their nodes.
      if (held === 0) logger.warn('no batch of a node waits any more: each is stored, or its node sends it again');
    };
  };
}
