// Original file: proto/link.proto


export interface NetworkInterface {
  'name'?: (string);
  'mac'?: (string);
  'addresses'?: (string)[];
  /**
   * Megabits per second; 0 if unknown.
   */
  'speedMbps'?: (number);
  'up'?: (boolean);
}

export interface NetworkInterface__Output {
  'name': (string);
  'mac': (string);
  'addresses': (string)[];
  /**
   * Megabits per second; 0 if unknown.
   */
  'speedMbps': (number);
  'up': (boolean);
}
