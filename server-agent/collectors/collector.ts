import type { Disk } from '../../proto/generated/picket/link/v1/Disk.js';
import type { Inventory } from '../../proto/generated/picket/link/v1/Inventory.js';
import type { MetricValue } from '../../proto/generated/picket/link/v1/MetricValue.js';
import type { NetworkInterface } from '../../proto/generated/picket/link/v1/NetworkInterface.js';
import type { ProcessSample } from '../../proto/generated/picket/link/v1/ProcessSample.js';

/** Reads the metrics and the inventory of one kind of operating system. */
export interface Collector {
  /**
   * Reads all values that are available. `monotonic` returns the milliseconds of a clock that includes suspension and
   * cannot be set; counters are dated when they are read. Rates are those since the previous sample, so the first
   * sample has none.
   */
  sample(monotonic: () => number): Promise<MetricValue[]>;
  /** Reads the current hardware and file systems of the server. */
  parts(): Promise<ServerParts>;
  /** Measures the top processes over the next second. `nowMs` returns the control plane's time. */
  processes(nowMs: () => number): Promise<Omit<ProcessSample, 'nonce'>>;
  /** Returns the time since the start of the machine. */
  uptimeSeconds(): number;
}

/** The part of the inventory that may change while the agent runs. */
export type ServerParts = Required<
  Pick<Inventory, 'ip' | 'cpuCores' | 'memoryBytes' | 'swapBytes' | 'devicesLeftOut'>
> & { disks: Disk[]; interfaces: NetworkInterface[] };
