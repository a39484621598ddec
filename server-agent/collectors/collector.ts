import type { Disk } from '../../proto/generated/picket/link/v1/Disk.js';
import type { Inventory } from '../../proto/generated/picket/link/v1/Inventory.js';
import type { MetricValue } from '../../proto/generated/picket/link/v1/MetricValue.js';
import type { NetworkInterface } from '../../proto/generated/picket/link/v1/NetworkInterface.js';
import type { ProcessSample } from '../../proto/generated/picket/link/v1/ProcessSample.js';

/** Reads one kind of operating system. */
export interface Collector {
  /**
   * All that can be read now. `atMs` is of a clock that counts suspension and that nobody sets; rates are those since
   * the sample before, and the first sample has none.
   */
  sample(atMs: number): Promise<MetricValue[]>;
  /** What the server is made of, as it is now. */
  parts(): Promise<ServerParts>;
  /** The busiest processes within the second to come; `nowMs` is asked for the control plane's time. */
  processes(nowMs: () => number): Promise<Omit<ProcessSample, 'nonce'>>;
  /** Since the start of the machine. */
  uptimeSeconds(): number;
}

/** The part of the inventory that may change while the agent runs. */
export type ServerParts = Required<
  Pick<Inventory, 'ip' | 'cpuCores' | 'memoryBytes' | 'swapBytes' | 'devicesLeftOut'>
> & { disks: Disk[]; interfaces: NetworkInterface[] };
