import { toIso } from '../../../../kernel/clock.js';
import { SIGNAL_EVENTS } from '../delivery/message.js';
import type { Format } from './interface.js';

/**
 * Characters that JSON.stringify does not escape although terminals, log viewers or line-based readers interpret them:
 * DEL, C1 controls, marks that change the writing direction, line and paragraph separators.
 */
const UNSAFE = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;
const UNSAFE_ALL = new RegExp(UNSAFE.source, 'g');

/** Returns one line of JSON that is safe to display. It parses to exactly the same value. */
export function jsonLine(value: unknown): string {
  const text = JSON.stringify(value);
  if (!UNSAFE.test(text)) return text;
  return text.replace(UNSAFE_ALL, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Formats an entry as the API and exports show it, so that receivers can verify its hash. */
export const jsonFormat: Format = {
  entry: (entry) => jsonLine(entry),
  signal: (signal) =>
    jsonLine({
      type: SIGNAL_EVENTS[signal.kind],
      timestamp: toIso(signal.atMs),
      forwarder_id: signal.forwarderId,
      workspace_id: signal.workspaceId,
      sequence: signal.sequence,
    }),
};
