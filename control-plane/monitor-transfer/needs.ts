import type { Clock } from '../../kernel/clock.js';
import type { BulkMonitors } from '../monitors/monitors.js';

/** What import and export work with. */
export interface TransferNeeds {
  monitors: BulkMonitors;
  clock: Clock;
}
