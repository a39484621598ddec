// Original file: proto/link.proto

import type { Welcome as _picket_link_v1_Welcome, Welcome__Output as _picket_link_v1_Welcome__Output } from '../../../picket/link/v1/Welcome.js';
import type { Ack as _picket_link_v1_Ack, Ack__Output as _picket_link_v1_Ack__Output } from '../../../picket/link/v1/Ack.js';
import type { Pong as _picket_link_v1_Pong, Pong__Output as _picket_link_v1_Pong__Output } from '../../../picket/link/v1/Pong.js';
import type { Assignments as _picket_link_v1_Assignments, Assignments__Output as _picket_link_v1_Assignments__Output } from '../../../picket/link/v1/Assignments.js';
import type { RunNow as _picket_link_v1_RunNow, RunNow__Output as _picket_link_v1_RunNow__Output } from '../../../picket/link/v1/RunNow.js';
import type { Drain as _picket_link_v1_Drain, Drain__Output as _picket_link_v1_Drain__Output } from '../../../picket/link/v1/Drain.js';
import type { Refused as _picket_link_v1_Refused, Refused__Output as _picket_link_v1_Refused__Output } from '../../../picket/link/v1/Refused.js';
import type { SampleProcesses as _picket_link_v1_SampleProcesses, SampleProcesses__Output as _picket_link_v1_SampleProcesses__Output } from '../../../picket/link/v1/SampleProcesses.js';
import type { ScanTask as _picket_link_v1_ScanTask, ScanTask__Output as _picket_link_v1_ScanTask__Output } from '../../../picket/link/v1/ScanTask.js';

export interface ToNode {
  'welcome'?: (_picket_link_v1_Welcome | null);
  'ack'?: (_picket_link_v1_Ack | null);
  'pong'?: (_picket_link_v1_Pong | null);
  'assignments'?: (_picket_link_v1_Assignments | null);
  'runNow'?: (_picket_link_v1_RunNow | null);
  'drain'?: (_picket_link_v1_Drain | null);
  'refused'?: (_picket_link_v1_Refused | null);
  'sampleProcesses'?: (_picket_link_v1_SampleProcesses | null);
  /**
   * Probes only.
   */
  'scan'?: (_picket_link_v1_ScanTask | null);
  'kind'?: "welcome"|"ack"|"pong"|"assignments"|"runNow"|"drain"|"refused"|"sampleProcesses"|"scan";
}

export interface ToNode__Output {
  'welcome'?: (_picket_link_v1_Welcome__Output | null);
  'ack'?: (_picket_link_v1_Ack__Output | null);
  'pong'?: (_picket_link_v1_Pong__Output | null);
  'assignments'?: (_picket_link_v1_Assignments__Output | null);
  'runNow'?: (_picket_link_v1_RunNow__Output | null);
  'drain'?: (_picket_link_v1_Drain__Output | null);
  'refused'?: (_picket_link_v1_Refused__Output | null);
  'sampleProcesses'?: (_picket_link_v1_SampleProcesses__Output | null);
  /**
   * Probes only.
   */
  'scan'?: (_picket_link_v1_ScanTask__Output | null);
  'kind'?: "welcome"|"ack"|"pong"|"assignments"|"runNow"|"drain"|"refused"|"sampleProcesses"|"scan";
}
