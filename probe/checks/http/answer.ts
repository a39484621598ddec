import { BODY_BYTES_MAX } from './body-text.js';
import { type ByteCollector, createByteCollector } from './bytes.js';
import type { ResponseHead } from './head.js';
import { createHttpParser } from './parser.js';

/** What is to be done with a body: nothing of it is read, it is read and thrown away, or kept for a search. */
export type BodyUse = 'skip' | 'discard' | 'keep';

/** An answer as far as the check wanted it. `body` is empty unless it was to be kept; `cut` when more would have come. */
export interface HttpAnswer {
  head: ResponseHead;
  body: Buffer;
  cut: boolean;
}

/** Most that is read from the connection. Chunks of one byte would otherwise cost six bytes and a microsecond each. */
const WIRE_BYTES_MAX = BODY_BYTES_MAX + 1024 * 1024;

/** Takes an answer's bytes and says when enough has been read: at its end, after its head, or at 2 MiB of body. */
export interface AnswerReader {
  /** null: more is wanted. */
  feed(bytes: Buffer): HttpAnswer | null;
  /** The connection has ended: the answer if it is complete by that, else null. */
  end(): HttpAnswer | null;
}

export function createAnswerReader(method: string, bodyUse: (head: ResponseHead) => BodyUse): AnswerReader {
  let head: ResponseHead | null = null;
  let use: BodyUse = 'skip';
  let kept: ByteCollector | null = null;
  let bodyBytes = 0;
  let wireBytes = 0;
  const parser = createHttpParser(method, {
    head(seen) {
      head = seen;
      use = bodyUse(seen);
      if (use === 'keep') kept = createByteCollector(BODY_BYTES_MAX);
    },
    body(bytes) {
      bodyBytes += bytes.length;
      kept?.add(bytes);
    },
  });
  const answer = (cut: boolean): HttpAnswer | null =>
    head === null ? null : { head, body: kept?.view() ?? Buffer.alloc(0), cut };
  return {
    feed(bytes) {
      const done = parser.feed(bytes);
      wireBytes += bytes.length;
      if (done) return answer(bodyBytes > BODY_BYTES_MAX);
      if (head !== null && use === 'skip') return answer(false);
      return bodyBytes > BODY_BYTES_MAX || wireBytes > WIRE_BYTES_MAX ? answer(true) : null;
    },
    end: () => (parser.end() ? answer(bodyBytes > BODY_BYTES_MAX) : null),
  };
}
