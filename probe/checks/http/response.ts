import { BODY_BYTES_MAX } from './body-text.js';
import { type ByteCollector, createByteCollector } from './bytes.js';
import type { ResponseHead } from './head.js';
import { createHttpParser } from './parser.js';

/** skip: the body is not read. discard: it is read to its end. keep: it is read and kept for the keyword search. */
export type BodyUse = 'skip' | 'discard' | 'keep';

/** The part of a response that a check needs. `body` is empty unless it is kept. `truncated`: there was more of it. */
export interface HttpResponse {
  head: ResponseHead;
  body: Buffer;
  truncated: boolean;
}

/** Bytes read from the connection beyond the body. A chunk of one byte takes six bytes on the wire and about a microsecond. */
const FRAMING_BYTES_MAX = 1024 * 1024;

/** Reads a response to the end that is needed: its own end, the end of its head, or the limit of its body, 2 MiB by default. */
export interface ResponseReader {
  /** Returns null if more bytes are needed. */
  feed(bytes: Buffer): HttpResponse | null;
  /** Must be called when the connection ends. Returns the response if it is complete, else null. */
  end(): HttpResponse | null;
}

export function createResponseReader(
  method: string,
  bodyUse: (head: ResponseHead) => BodyUse,
  bodyBytesMax = BODY_BYTES_MAX,
): ResponseReader {
  let head: ResponseHead | null = null;
  let use: BodyUse = 'skip';
  let kept: ByteCollector | null = null;
  let bodyBytes = 0;
  let wireBytes = 0;
  const parser = createHttpParser(method, {
    head(parsed) {
      head = parsed;
      use = bodyUse(parsed);
      if (use === 'keep') kept = createByteCollector(bodyBytesMax);
    },
    body(bytes) {
      bodyBytes += bytes.length;
      kept?.add(bytes);
    },
  });
  const response = (truncated: boolean): HttpResponse | null =>
    head === null ? null : { head, body: kept?.view() ?? Buffer.alloc(0), truncated };
  return {
    feed(bytes) {
      const done = parser.feed(bytes);
      wireBytes += bytes.length;
      if (done) return response(bodyBytes > bodyBytesMax);
      if (head !== null && use === 'skip') return response(false);
      return bodyBytes > bodyBytesMax || wireBytes > bodyBytesMax + FRAMING_BYTES_MAX ? response(true) : null;
    },
    end: () => (parser.end() ? response(bodyBytes > bodyBytesMax) : null),
  };
}
