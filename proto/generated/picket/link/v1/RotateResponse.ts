// Original file: proto/link.proto


export interface RotateResponse {
  'credential'?: (string);
}

export interface RotateResponse__Output {
  'credential': (string);
}
