// Original file: proto/link.proto


export interface ScanPort {
  'port'?: (number);
  /**
   * open, closed, unknown
   */
  'state'?: (string);
}

export interface ScanPort__Output {
  'port': (number);
  /**
   * open, closed, unknown
   */
  'state': (string);
}
