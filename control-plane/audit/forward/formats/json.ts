import { toIso } from '../../../../kernel/clock.js';
import { SIGNAL_EVENTS } from '../delivery/message.js';
import type { Format } from './format.js';

/**
 * What JSON.stringify leaves as it is although a terminal, a log viewer or a line-based reader would act on it:
 * DEL, C1 controls, the marks that turn the direction of writing, line and paragraph separators.
 */
const TRICKY = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;
const TRICKY_ALL = new RegExp(TRICKY.source, 'g');

/** One line of JSON whose text does nothing to whoever looks at it. Parsed, it is the value, to the character. */
export function jsonLine(value: unknown): string {
  const text = JSON.stringify(value);
  if (!TRICKY.test(text)) return text;
  return text.replace(TRICKY_ALL, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The entry as the API and the export show it, so that its hash can be checked from what was forwarded. */
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
