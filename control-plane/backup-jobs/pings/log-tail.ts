import type { IncomingMessage } from 'node:http';

/** Of a log, its end is kept: what failed is there. */
const LOG_BYTES_MAX = 10_000;
/** Control characters other than tabs and line breaks, and marks that change the direction of text. */
const UNPRINTABLE = /(?![\t\n])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;

/**
 * Reads a body of any type and length and returns the end of it as text; null without one. Never holds more than the kept
 * bytes and what one read brings. The time that a request may take ends one without an end.
 */
export async function readLogTail(req: IncomingMessage): Promise<string | null> {
  let kept = Buffer.alloc(0);
  let read = 0;
  try {
    for await (const chunk of req) {
      if (!Buffer.isBuffer(chunk)) continue;
      read += chunk.length;
      kept = Buffer.concat([kept, chunk.subarray(-LOG_BYTES_MAX)]).subarray(-LOG_BYTES_MAX);
    }
  } catch {
    // The sender went away while it sent its log. What it had to say is in the path.
  }
  const decoded = new TextDecoder().decode(wholeCharacters(kept, read));
  const text = lastOf(decoded).replace(/\r\n?/g, '\n').replace(UNPRINTABLE, '');
  return text.trim() === '' ? null : text.trimEnd();
}

/** Of a text that became longer, because what is no character is replaced by one of three bytes, returns the end. */
function lastOf(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= LOG_BYTES_MAX) return text;
  return new TextDecoder().decode(wholeCharacters(bytes.subarray(-LOG_BYTES_MAX), bytes.length));
}

/** Leaves out the rest of a character that was cut in two at the start. */
function wholeCharacters(bytes: Buffer, read: number): Buffer {
  if (read <= LOG_BYTES_MAX) return bytes;
  const first = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return bytes.subarray(Math.max(0, first));
}
