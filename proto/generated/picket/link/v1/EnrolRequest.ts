// Original file: proto/link.proto


export interface EnrolRequest {
  'token'?: (string);
  'version'?: (string);
  'hostname'?: (string);
}

export interface EnrolRequest__Output {
  'token': (string);
  'version': (string);
  'hostname': (string);
}
