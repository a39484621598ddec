// Original file: proto/link.proto


export interface ScanFile {
  'path'?: (string);
  /**
   * exposed: its content is that of such a file. absent. unknown: it could not be read.
   */
  'outcome'?: (string);
  'status'?: (number);
}

export interface ScanFile__Output {
  'path': (string);
  /**
   * exposed: its content is that of such a file. absent. unknown: it could not be read.
   */
  'outcome': (string);
  'status': (number);
}
