// Original file: proto/link.proto


export interface ScanCookie {
  'name'?: (string);
  'secure'?: (boolean);
  'httpOnly'?: (boolean);
  /**
   * Lower case; empty if it is not set.
   */
  'sameSite'?: (string);
}

export interface ScanCookie__Output {
  'name': (string);
  'secure': (boolean);
  'httpOnly': (boolean);
  /**
   * Lower case; empty if it is not set.
   */
  'sameSite': (string);
}
