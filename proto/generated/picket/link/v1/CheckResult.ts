// Original file: proto/link.proto

import type { Certificate as _picket_link_v1_Certificate, Certificate__Output as _picket_link_v1_Certificate__Output } from '../../../picket/link/v1/Certificate.js';
import type { Long } from '@grpc/proto-loader';

export interface CheckResult {
  'monitorId'?: (string);
  'monitorVersion'?: (number);
  /**
   * When the check was due, on the control plane's clock, epoch milliseconds. Monitor, location, slot and attempt
   * identify a result.
   */
  'slotMs'?: (number | string | Long);
  /**
   * 0 for the first attempt, plus one for each retry.
   */
  'attempt'?: (number);
  /**
   * false for a failed attempt that is retried.
   */
  'final'?: (boolean);
  /**
   * schedule, confirm, manual, resume, recovery
   */
  'reason'?: (string);
  /**
   * When the check started, on the control plane's clock, epoch milliseconds.
   */
  'checkedAtMs'?: (number | string | Long);
  'up'?: (boolean);
  'responseTimeMs'?: (number | string);
  'dnsMs'?: (number | string);
  'connectMs'?: (number | string);
  'tlsMs'?: (number | string);
  'ttfbMs'?: (number | string);
  'transferMs'?: (number | string);
  'httpStatus'?: (number);
  'errorCode'?: (string);
  'errorMessage'?: (string);
  'certificate'?: (_picket_link_v1_Certificate | null);
  /**
   * The address that the probe connected to.
   */
  'address'?: (string);
  '_dnsMs'?: "dnsMs";
  '_connectMs'?: "connectMs";
  '_tlsMs'?: "tlsMs";
  '_ttfbMs'?: "ttfbMs";
  '_transferMs'?: "transferMs";
  '_httpStatus'?: "httpStatus";
}

export interface CheckResult__Output {
  'monitorId': (string);
  'monitorVersion': (number);
  /**
   * When the check was due, on the control plane's clock, epoch milliseconds. Monitor, location, slot and attempt
   * identify a result.
   */
  'slotMs': (number);
  /**
   * 0 for the first attempt, plus one for each retry.
   */
  'attempt': (number);
  /**
   * false for a failed attempt that is retried.
   */
  'final': (boolean);
  /**
   * schedule, confirm, manual, resume, recovery
   */
  'reason': (string);
  /**
   * When the check started, on the control plane's clock, epoch milliseconds.
   */
  'checkedAtMs': (number);
  'up': (boolean);
  'responseTimeMs': (number);
  'dnsMs'?: (number);
  'connectMs'?: (number);
  'tlsMs'?: (number);
  'ttfbMs'?: (number);
  'transferMs'?: (number);
  'httpStatus'?: (number);
  'errorCode': (string);
  'errorMessage': (string);
  'certificate': (_picket_link_v1_Certificate__Output | null);
  /**
   * The address that the probe connected to.
   */
  'address': (string);
  '_dnsMs'?: "dnsMs";
  '_connectMs'?: "connectMs";
  '_tlsMs'?: "tlsMs";
  '_ttfbMs'?: "ttfbMs";
  '_transferMs'?: "transferMs";
  '_httpStatus'?: "httpStatus";
}
