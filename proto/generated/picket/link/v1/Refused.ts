// Original file: proto/link.proto


/**
 * The control plane refuses the stream. With the codes revoked and version, it will do so again: the node retries only
 * every few minutes. With others, such as duplicate (another process is connected with this credential), it may not.
 */
export interface Refused {
  'code'?: (string);
  'detail'?: (string);
}

/**
 * The control plane refuses the stream. With the codes revoked and version, it will do so again: the node retries only
 * every few minutes. With others, such as duplicate (another process is connected with this credential), it may not.
 */
export interface Refused__Output {
  'code': (string);
  'detail': (string);
}
