import { CheckFailure } from '../outcome.js';
import { createByteCollector } from './bytes.js';
import { type ChunkDecoder, createChunkDecoder } from './chunks.js';
import { type Framing, framingOf, HEAD_BYTES_MAX, parseHead, parseStatusLine, type ResponseHead } from './head.js';

const LF = 0x0a;
const CR = 0x0d;
const PREFIX = 'HTTP/';

/** Told by the parser in this order: one head, then the body's pieces. Interim answers (1xx) are passed over. */
export interface ParserEvents {
  head(head: ResponseHead): void;
  /** The piece is only valid during the call. */
  body(bytes: Buffer): void;
}

/** An incremental HTTP/1.1 response parser; throws CheckFailure on an answer that breaks the protocol or a limit. */
export interface HttpParser {
  /** true once the answer is complete; bytes after its end are ignored. */
  feed(bytes: Buffer): boolean;
  /** The connection has ended: whether the answer is complete by that. */
  end(): boolean;
}

/** head: before the end of the head. body: after it. done: the answer is complete. */
type ParserState = 'head' | 'body' | 'done';

export function createHttpParser(method: string, events: ParserEvents): HttpParser {
  let state: ParserState = 'head';
  const scan = createHeadScan();
  let framing: Framing = { kind: 'none' };
  let chunks: ChunkDecoder | null = null;
  let left = 0;

  /** Reads one head; state stays `head` after an interim one. */
  function takeHead(text: string): void {
    const head = parseHead(text);
    if (head.status < 200 && head.status !== 101) return;
    framing = framingOf(head, method);
    events.head(head);
    state = 'body';
    if (framing.kind === 'length') left = framing.bytes;
    if (framing.kind === 'chunked') chunks = createChunkDecoder(events.body);
    if (framing.kind === 'none' || (framing.kind === 'length' && left === 0)) state = 'done';
  }

  function takeBody(bytes: Buffer): void {
    if (chunks !== null) {
      if (chunks.feed(bytes)) state = 'done';
      return;
    }
    const piece = framing.kind === 'length' && bytes.length > left ? bytes.subarray(0, left) : bytes;
    if (piece.length > 0) events.body(piece);
    left -= piece.length;
    if (framing.kind === 'length' && left === 0) state = 'done';
  }

  return {
    feed(bytes) {
      let rest = bytes;
      while (state === 'head' && rest.length > 0) {
        const found = scan.feed(rest);
        if (found === null) return false;
        takeHead(found.text);
        rest = rest.subarray(found.used);
      }
      if (state === 'body' && rest.length > 0) takeBody(rest);
      return state === 'done';
    },
    end: () => state === 'done' || (state === 'body' && framing.kind === 'until_close'),
  };
}

/** Finds the end of a head in bytes that come in any pieces, and refuses early what is not HTTP. */
interface HeadScan {
  /** The head's text and how many of these bytes belong to it; null while it is not complete. */
  feed(bytes: Buffer): { text: string; used: number } | null;
}

function createHeadScan(): HeadScan {
  const kept = createByteCollector(HEAD_BYTES_MAX);
  /** What all heads of the answer, interim ones included, may still take. */
  let room = HEAD_BYTES_MAX;
  let statusLineRead = false;

  /** The position after the empty line that ends the head, or -1. */
  function findEnd(bytes: Buffer, from: number, start: number): number {
    for (let at = bytes.indexOf(LF, from); at !== -1; at = bytes.indexOf(LF, at + 1)) {
      if (!statusLineRead) parseStatusLine(bytes.toString('latin1', start, at));
      statusLineRead = true;
      if (bytes[at + 1] === LF) return at + 2;
      if (bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3;
    }
    return -1;
  }

  return {
    feed(bytes) {
      const before = kept.length();
      if (before > 0) kept.add(bytes);
      const all = (before > 0 ? kept.view() : bytes).subarray(0, room);
      const start = skipBlankLines(all);
      refuseOtherProtocol(all, start);
      // The line ends that close the head may straddle the pieces by two bytes.
      const end = start === all.length ? -1 : findEnd(all, Math.max(start, before - 2), start);
      if (end !== -1) {
        const text = all.toString('latin1', start, end);
        room -= end;
        statusLineRead = false;
        kept.clear();
        return { text, used: end - before };
      }
      if (all.length === room) {
        throw new CheckFailure(
          'response_too_large',
          `the headers of the answer are larger than ${HEAD_BYTES_MAX / 1024} KiB`,
        );
      }
      if (before === 0) kept.add(bytes);
      return null;
    },
  };
}

function skipBlankLines(bytes: Buffer): number {
  let start = 0;
  while (bytes[start] === LF || bytes[start] === CR) start++;
  return start;
}

/** A server of another protocol often greets and waits: its first bytes tell, no line end need come. */
function refuseOtherProtocol(bytes: Buffer, start: number): void {
  const prefix = bytes.toString('latin1', start, start + PREFIX.length);
  if (prefix.length === PREFIX.length && prefix !== PREFIX) parseStatusLine(prefix);
}
