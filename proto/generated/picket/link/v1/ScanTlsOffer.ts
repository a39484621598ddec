// Original file: proto/link.proto


/**
 * A handshake that offered only what a server should refuse.
 */
export interface ScanTlsOffer {
  /**
   * TLSv1.0, TLSv1.1, weak_ciphers
   */
  'name'?: (string);
  /**
   * accepted, refused, unknown
   */
  'outcome'?: (string);
  /**
   * The accepted cipher suite.
   */
  'cipher'?: (string);
}

/**
 * A handshake that offered only what a server should refuse.
 */
export interface ScanTlsOffer__Output {
  /**
   * TLSv1.0, TLSv1.1, weak_ciphers
   */
  'name': (string);
  /**
   * accepted, refused, unknown
   */
  'outcome': (string);
  /**
   * The accepted cipher suite.
   */
  'cipher': (string);
}
