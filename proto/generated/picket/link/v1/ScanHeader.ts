// Original file: proto/link.proto


export interface ScanHeader {
  'name'?: (string);
  'value'?: (string);
}

export interface ScanHeader__Output {
  'name': (string);
  'value': (string);
}
