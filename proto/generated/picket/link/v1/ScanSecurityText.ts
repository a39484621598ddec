// Original file: proto/link.proto

import type { Long } from '@grpc/proto-loader';

/**
 * .well-known/security.txt (RFC 9116).
 */
export interface ScanSecurityText {
  /**
   * present, absent, unknown
   */
  'outcome'?: (string);
  'hasContact'?: (boolean);
  /**
   * 0 without a valid Expires field.
   */
  'expiresMs'?: (number | string | Long);
}

/**
 * .well-known/security.txt (RFC 9116).
 */
export interface ScanSecurityText__Output {
  /**
   * present, absent, unknown
   */
  'outcome': (string);
  'hasContact': (boolean);
  /**
   * 0 without a valid Expires field.
   */
  'expiresMs': (number);
}
