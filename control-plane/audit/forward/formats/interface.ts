import type { AuditEntry } from '../../schema.js';
import type { Signal } from '../delivery/message.js';

export interface FormatContext {
  /** The version of Picket. */
  version: string;
  /** The number of the entry in its forwarder. */
  sequence: number;
}

/** Formats an entry, a heartbeat or a test message as one line of text, without line breaks and NULs. */
export interface Format {
  entry(entry: AuditEntry, context: FormatContext): string;
  signal(signal: Signal, version: string): string;
}
