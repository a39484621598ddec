// Original file: proto/link.proto

import type { Disk as _picket_link_v1_Disk, Disk__Output as _picket_link_v1_Disk__Output } from '../../../picket/link/v1/Disk.js';
import type { NetworkInterface as _picket_link_v1_NetworkInterface, NetworkInterface__Output as _picket_link_v1_NetworkInterface__Output } from '../../../picket/link/v1/NetworkInterface.js';
import type { Long } from '@grpc/proto-loader';

export interface Inventory {
  'hostname'?: (string);
  /**
   * The address of the interface with the default route; empty without one.
   */
  'ip'?: (string);
  /**
   * Name and version: Debian GNU/Linux 12 (bookworm).
   */
  'os'?: (string);
  'kernel'?: (string);
  'agentVersion'?: (string);
  'architecture'?: (string);
  'cpuModel'?: (string);
  'cpuCores'?: (number);
  /**
   * Usable memory: the limit of the control group if there is one, else the memory of the machine.
   */
  'memoryBytes'?: (number | string | Long);
  'swapBytes'?: (number | string | Long);
  /**
   * kvm, docker, lxc, ...; empty on bare metal or if unknown.
   */
  'virtualization'?: (string);
  'bootedAtMs'?: (number | string | Long);
  'disks'?: (_picket_link_v1_Disk)[];
  'interfaces'?: (_picket_link_v1_NetworkInterface)[];
  /**
   * Time between two samples.
   */
  'sampleIntervalMs'?: (number);
  /**
   * Devices that are left out of samples, because there are more than the limit.
   */
  'devicesLeftOut'?: (number);
  /**
   * Samples that the spool has dropped since the agent was installed.
   */
  'samplesDropped'?: (number | string | Long);
}

export interface Inventory__Output {
  'hostname': (string);
  /**
   * The address of the interface with the default route; empty without one.
   */
  'ip': (string);
  /**
   * Name and version: Debian GNU/Linux 12 (bookworm).
   */
  'os': (string);
  'kernel': (string);
  'agentVersion': (string);
  'architecture': (string);
  'cpuModel': (string);
  'cpuCores': (number);
  /**
   * Usable memory: the limit of the control group if there is one, else the memory of the machine.
   */
  'memoryBytes': (number);
  'swapBytes': (number);
  /**
   * kvm, docker, lxc, ...; empty on bare metal or if unknown.
   */
  'virtualization': (string);
  'bootedAtMs': (number);
  'disks': (_picket_link_v1_Disk__Output)[];
  'interfaces': (_picket_link_v1_NetworkInterface__Output)[];
  /**
   * Time between two samples.
   */
  'sampleIntervalMs': (number);
  /**
   * Devices that are left out of samples, because there are more than the limit.
   */
  'devicesLeftOut': (number);
  /**
   * Samples that the spool has dropped since the agent was installed.
   */
  'samplesDropped': (number);
}
