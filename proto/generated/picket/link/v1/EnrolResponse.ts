// Original file: proto/link.proto


export interface EnrolResponse {
  'nodeId'?: (string);
  'credential'?: (string);
  /**
   * Check location of a probe; empty for an agent.
   */
  'location'?: (string);
}

export interface EnrolResponse__Output {
  'nodeId': (string);
  'credential': (string);
  /**
   * Check location of a probe; empty for an agent.
   */
  'location': (string);
}
