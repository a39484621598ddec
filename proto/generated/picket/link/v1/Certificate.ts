// Original file: proto/link.proto

import type { Long } from '@grpc/proto-loader';

export interface Certificate {
  'grade'?: (string);
  'notAfterMs'?: (number | string | Long);
  /**
   * SHA-256 of the leaf, hex
   */
  'fingerprint'?: (string);
  'issuer'?: (string);
  'subject'?: (string);
  /**
   * TLSv1.3
   */
  'protocol'?: (string);
}

export interface Certificate__Output {
  'grade': (string);
  'notAfterMs': (number);
  /**
   * SHA-256 of the leaf, hex
   */
  'fingerprint': (string);
  'issuer': (string);
  'subject': (string);
  /**
   * TLSv1.3
   */
  'protocol': (string);
}
