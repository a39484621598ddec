// Original file: proto/link.proto


/**
 * The control plane refuses the stream. With the codes revoked and version, it will do so again: the node retries only
 * every few minutes. With others, such as duplicate (another process is connected with this credential) and busy (too
 * many nodes connect at the same time), it may not.
 */
export interface Refused {
  'code'?: (string);
  'detail'?: (string);
  /**
   * When the node is to retry; different for each node. 0: after the node's own backoff.
   */
  'retryAfterMs'?: (number);
}

/**
 * The control plane refuses the stream. With the codes revoked and version, it will do so again: the node retries only
 * every few minutes. With others, such as duplicate (another process is connected with this credential) and busy (too
 * many nodes connect at the same time), it may not.
 */
export interface Refused__Output {
  'code': (string);
  'detail': (string);
  /**
   * When the node is to retry; different for each node. 0: after the node's own backoff.
   */
  'retryAfterMs': (number);
}
