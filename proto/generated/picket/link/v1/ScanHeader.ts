// Original file: proto/link.proto


export interface ScanHeader {
  'name'?: (string);
  /**
   * At most 8,192 characters.
   */
  'value'?: (string);
  /**
   * Whether the probe left out the end of the value.
   */
  'cut'?: (boolean);
}

export interface ScanHeader__Output {
  'name': (string);
  /**
   * At most 8,192 characters.
   */
  'value': (string);
  /**
   * Whether the probe left out the end of the value.
   */
  'cut': (boolean);
}
