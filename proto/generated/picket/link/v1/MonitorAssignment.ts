// Original file: proto/link.proto

import type { HttpOptions as _picket_link_v1_HttpOptions, HttpOptions__Output as _picket_link_v1_HttpOptions__Output } from './HttpOptions.js';

export interface MonitorAssignment {
  'monitorId'?: (string);
  'version'?: (number);
  /**
   * http, tcp, ping
   */
  'type'?: (string);
  'url'?: (string);
  'intervalSeconds'?: (number);
  /**
   * Offset of the slots within the interval: slots are at k * interval + phase on the server's wall clock.
   */
  'phaseMs'?: (number);
  'timeoutMs'?: (number);
  'retries'?: (number);
  'http'?: (_picket_link_v1_HttpOptions | null);
  /**
   * Location peers exist: the first failure is reported at once either way.
   */
  'retryDelayMs'?: (number);
}

export interface MonitorAssignment__Output {
  'monitorId': (string);
  'version': (number);
  /**
   * http, tcp, ping
   */
  'type': (string);
  'url': (string);
  'intervalSeconds': (number);
  /**
   * Offset of the slots within the interval: slots are at k * interval + phase on the server's wall clock.
   */
  'phaseMs': (number);
  'timeoutMs': (number);
  'retries': (number);
  'http': (_picket_link_v1_HttpOptions__Output | null);
  /**
   * Location peers exist: the first failure is reported at once either way.
   */
  'retryDelayMs': (number);
}
