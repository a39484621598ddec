// Original file: proto/link.proto


/**
 * The control plane shuts down: the node opens a new stream after `reconnect_after_ms`, then ends this one.
 */
export interface Drain {
  'reconnectAfterMs'?: (number);
}

/**
 * The control plane shuts down: the node opens a new stream after `reconnect_after_ms`, then ends this one.
 */
export interface Drain__Output {
  'reconnectAfterMs': (number);
}
