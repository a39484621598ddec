// Original file: proto/link.proto

import type { Hello as _picket_link_v1_Hello, Hello__Output as _picket_link_v1_Hello__Output } from '../../../picket/link/v1/Hello.js';
import type { Batch as _picket_link_v1_Batch, Batch__Output as _picket_link_v1_Batch__Output } from '../../../picket/link/v1/Batch.js';
import type { Ping as _picket_link_v1_Ping, Ping__Output as _picket_link_v1_Ping__Output } from '../../../picket/link/v1/Ping.js';
import type { NodeStatus as _picket_link_v1_NodeStatus, NodeStatus__Output as _picket_link_v1_NodeStatus__Output } from '../../../picket/link/v1/NodeStatus.js';
import type { Inventory as _picket_link_v1_Inventory, Inventory__Output as _picket_link_v1_Inventory__Output } from '../../../picket/link/v1/Inventory.js';
import type { ProcessSample as _picket_link_v1_ProcessSample, ProcessSample__Output as _picket_link_v1_ProcessSample__Output } from '../../../picket/link/v1/ProcessSample.js';
import type { ScanResult as _picket_link_v1_ScanResult, ScanResult__Output as _picket_link_v1_ScanResult__Output } from '../../../picket/link/v1/ScanResult.js';

export interface FromNode {
  'hello'?: (_picket_link_v1_Hello | null);
  'batch'?: (_picket_link_v1_Batch | null);
  'ping'?: (_picket_link_v1_Ping | null);
  /**
   * Probes only.
   */
  'status'?: (_picket_link_v1_NodeStatus | null);
  /**
   * Agents only: after each welcome, and when a field in it changes.
   */
  'inventory'?: (_picket_link_v1_Inventory | null);
  /**
   * Agents only: the response to SampleProcesses.
   */
  'processes'?: (_picket_link_v1_ProcessSample | null);
  /**
   * Probes only: the response to ScanTask.
   */
  'scanResult'?: (_picket_link_v1_ScanResult | null);
  'kind'?: "hello"|"batch"|"ping"|"status"|"inventory"|"processes"|"scanResult";
}

export interface FromNode__Output {
  'hello'?: (_picket_link_v1_Hello__Output | null);
  'batch'?: (_picket_link_v1_Batch__Output | null);
  'ping'?: (_picket_link_v1_Ping__Output | null);
  /**
   * Probes only.
   */
  'status'?: (_picket_link_v1_NodeStatus__Output | null);
  /**
   * Agents only: after each welcome, and when a field in it changes.
   */
  'inventory'?: (_picket_link_v1_Inventory__Output | null);
  /**
   * Agents only: the response to SampleProcesses.
   */
  'processes'?: (_picket_link_v1_ProcessSample__Output | null);
  /**
   * Probes only: the response to ScanTask.
   */
  'scanResult'?: (_picket_link_v1_ScanResult__Output | null);
  'kind'?: "hello"|"batch"|"ping"|"status"|"inventory"|"processes"|"scanResult";
}
