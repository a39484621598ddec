// Original file: proto/link.proto

import type { HttpOptions as _picket_link_v1_HttpOptions, HttpOptions__Output as _picket_link_v1_HttpOptions__Output } from '../../../picket/link/v1/HttpOptions.js';

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
   * Time between two attempts. The first failed attempt is sent at once in any case.
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
   * Time between two attempts. The first failed attempt is sent at once in any case.
   */
  'retryDelayMs': (number);
}
