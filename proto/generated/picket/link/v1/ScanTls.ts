// Original file: proto/link.proto

import type { ScanTlsOffer as _picket_link_v1_ScanTlsOffer, ScanTlsOffer__Output as _picket_link_v1_ScanTlsOffer__Output } from '../../../picket/link/v1/ScanTlsOffer.js';
import type { Long } from '@grpc/proto-loader';

export interface ScanTls {
  /**
   * The negotiated version and cipher suite.
   */
  'protocol'?: (string);
  'cipher'?: (string);
  /**
   * Why the chain is not trusted, as a code of OpenSSL; empty if it is.
   */
  'problem'?: (string);
  'nameMatches'?: (boolean);
  'notAfterMs'?: (number | string | Long);
  'issuer'?: (string);
  'subject'?: (string);
  'keyType'?: (string);
  'keyBits'?: (number);
  'offers'?: (_picket_link_v1_ScanTlsOffer)[];
}

export interface ScanTls__Output {
  /**
   * The negotiated version and cipher suite.
   */
  'protocol': (string);
  'cipher': (string);
  /**
   * Why the chain is not trusted, as a code of OpenSSL; empty if it is.
   */
  'problem': (string);
  'nameMatches': (boolean);
  'notAfterMs': (number);
  'issuer': (string);
  'subject': (string);
  'keyType': (string);
  'keyBits': (number);
  'offers': (_picket_link_v1_ScanTlsOffer__Output)[];
}
