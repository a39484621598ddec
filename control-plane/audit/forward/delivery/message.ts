import type { AuditSeverity } from '../../audit.js';

/**
 * `entry`: an audit entry. `heartbeat`: says that nothing happened, so that silence can be told from a broken way.
 * `test`: somebody pressed the button. The last two are no audit entries and have no id.
 */
export type MessageKind = 'entry' | 'heartbeat' | 'test';

/** What a transport takes: one line in the forwarder's format, and what its envelope says. */
export interface ForwardMessage {
  kind: MessageKind;
  /** `evt_…`; null for anything but an entry. */
  id: string | null;
  /** The action, or the kind of message. */
  event: string;
  severity: AuditSeverity;
  atMs: number;
  /** The entry's number in this forwarder; of the last one before it for anything else. */
  sequence: number;
  body: string;
  /** The body without what may be long, for a datagram. */
  shortBody(): string;
}

/** A message that is no entry, before it is formatted. */
export interface Signal {
  kind: 'heartbeat' | 'test';
  atMs: number;
  sequence: number;
  forwarderId: string;
  workspaceId: string;
}

export const SIGNAL_EVENTS = { heartbeat: 'audit.heartbeat', test: 'audit.test' } as const;
export const SIGNAL_NAMES = { heartbeat: 'Heartbeat', test: 'Test message' } as const;
