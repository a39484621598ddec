// Original file: proto/link.proto

import type { Disk as _picket_link_v1_Disk, Disk__Output as _picket_link_v1_Disk__Output } from './Disk.js';
import type { NetworkInterface as _picket_link_v1_NetworkInterface, NetworkInterface__Output as _picket_link_v1_NetworkInterface__Output } from './NetworkInterface.js';
import type { Long } from '@grpc/proto-loader';

export interface Inventory {
  'hostname'?: (string);
  /**
   * The address by which the server reaches others; empty when it has none.
   */
  'ip'?: (string);
  /**
   * As its maker calls it: Debian GNU/Linux 12 (bookworm).
   */
  'os'?: (string);
  'kernel'?: (string);
  'agentVersion'?: (string);
  'architecture'?: (string);
  'cpuModel'?: (string);
  'cpuCores'?: (number);
  /**
   * What there is to use: the limit of the control group where there is one.
   */
  'memoryBytes'?: (number | string | Long);
  'swapBytes'?: (number | string | Long);
  /**
   * kvm, docker, lxc, ...; empty on bare metal or when it cannot be told.
   */
  'virtualization'?: (string);
  'bootedAtMs'?: (number | string | Long);
  'disks'?: (_picket_link_v1_Disk)[];
  'interfaces'?: (_picket_link_v1_NetworkInterface)[];
  /**
   * Time between two reports.
   */
  'reportIntervalMs'?: (number);
  /**
   * Devices beyond what a report may hold, that are left out of it.
   */
  'devicesLeftOut'?: (number);
  /**
   * Reports that the agent's disk had no place for, since it was installed.
   */
  'reportsDropped'?: (number | string | Long);
}

export interface Inventory__Output {
  'hostname': (string);
  /**
   * The address by which the server reaches others; empty when it has none.
   */
  'ip': (string);
  /**
   * As its maker calls it: Debian GNU/Linux 12 (bookworm).
   */
  'os': (string);
  'kernel': (string);
  'agentVersion': (string);
  'architecture': (string);
  'cpuModel': (string);
  'cpuCores': (number);
  /**
   * What there is to use: the limit of the control group where there is one.
   */
  'memoryBytes': (number);
  'swapBytes': (number);
  /**
   * kvm, docker, lxc, ...; empty on bare metal or when it cannot be told.
   */
  'virtualization': (string);
  'bootedAtMs': (number);
  'disks': (_picket_link_v1_Disk__Output)[];
  'interfaces': (_picket_link_v1_NetworkInterface__Output)[];
  /**
   * Time between two reports.
   */
  'reportIntervalMs': (number);
  /**
   * Devices beyond what a report may hold, that are left out of it.
   */
  'devicesLeftOut': (number);
  /**
   * Reports that the agent's disk had no place for, since it was installed.
   */
  'reportsDropped': (number);
}
