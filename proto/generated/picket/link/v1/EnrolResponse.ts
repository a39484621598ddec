// Original file: proto/link.proto


export interface EnrolResponse {
  'nodeId'?: (string);
  'credential'?: (string);
  'location'?: (string);
}

export interface EnrolResponse__Output {
  'nodeId': (string);
  'credential': (string);
  'location': (string);
}
