import type { AuditEntry } from '../../schema.js';
import type { Signal } from '../delivery/message.js';

export interface FormatContext {
  /** Of Picket. */
  version: string;
  /** The entry's number in its forwarder. */
  sequence: number;
}

/** One line of text for an entry, or for a heartbeat or test: no line break and no NUL in it. */
export interface Format {
  entry(entry: AuditEntry, context: FormatContext): string;
  signal(signal: Signal, version: string): string;
}
