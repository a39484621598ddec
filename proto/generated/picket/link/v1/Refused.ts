// Original file: proto/link.proto


/**
 * The stream is refused for good or for a while; `code` is revoked, duplicate, version.
 */
export interface Refused {
  'code'?: (string);
  'detail'?: (string);
}

/**
 * The stream is refused for good or for a while; `code` is revoked, duplicate, version.
 */
export interface Refused__Output {
  'code': (string);
  'detail': (string);
}
