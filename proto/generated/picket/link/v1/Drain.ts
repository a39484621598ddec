// Original file: proto/link.proto


/**
 * The control plane is going away: open a new stream after `reconnect_after_ms`, then end this one.
 */
export interface Drain {
  'reconnectAfterMs'?: (number);
}

/**
 * The control plane is going away: open a new stream after `reconnect_after_ms`, then end this one.
 */
export interface Drain__Output {
  'reconnectAfterMs': (number);
}
