import type { AuditSeverity } from '../../audit.js';

/**
 * - `entry`: an audit entry.
 * - `heartbeat`: sent when there are no entries, so that a receiver notices a broken connection.
 * - `test`: a test message that a user sent.
 *
 * The last two are not audit entries and have no id.
 */
export type MessageKind = 'entry' | 'heartbeat' | 'test';

/** A message for a transport: one line in the forwarder's format, and the fields of its envelope. */
export interface ForwardMessage {
  kind: MessageKind;
  /** `evt_…` for an entry, else null. */
  id: string | null;
  /** The action of the entry, or the event name of a heartbeat or test. */
  event: string;
  severity: AuditSeverity;
  atMs: number;
  /** The number of the entry in this forwarder; for other messages, that of the previous entry. */
  sequence: number;
  body: string;
  /** Returns the body with truncated texts, for a datagram. */
  shortBody(): string;
}

/** The content of a heartbeat or a test message. */
export interface Signal {
  kind: 'heartbeat' | 'test';
  atMs: number;
  sequence: number;
  forwarderId: string;
  workspaceId: string;
}

export const SIGNAL_EVENTS = { heartbeat: 'audit.heartbeat', test: 'audit.test' } as const;
export const SIGNAL_NAMES = { heartbeat: 'Heartbeat', test: 'Test message' } as const;
