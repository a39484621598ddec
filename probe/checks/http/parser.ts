import { CheckFailure } from '../outcome.js';
import { createByteCollector } from './bytes.js';
import { type ChunkDecoder, createChunkDecoder } from './chunks.js';
import { type Framing, framingOf, HEAD_BYTES_MAX, parseHead, parseStatusLine, type ResponseHead } from './head.js';

const LF = 0x0a;
const CR = 0x0d;
const PREFIX = 'HTTP/';

/** The parser calls `head` once, then `body` for each piece. Interim responses (1xx) are skipped. */
export interface ParserEvents {
  head(head: ResponseHead): void;
  /** The piece is only valid during the call. */
  body(bytes: Buffer): void;
}

/** An incremental HTTP/1.1 parser. Throws CheckFailure for a response that violates the protocol or a limit. */
export interface HttpParser {
  /** Returns true when the response is complete. Bytes after its end are ignored. */
  feed(bytes: Buffer): boolean;
  /** Must be called when the connection ends. Returns whether the response is complete. */
  end(): boolean;
}

/** head: before the end of the head. body: in the body. done: the response is complete. */
type ParserState = 'head' | 'body' | 'done';

export function createHttpParser(method: string, events: ParserEvents): HttpParser {
  let state: ParserState = 'head';
  const headScanner = createHeadScanner();
  let framing: Framing = { kind: 'none' };
  let chunks: ChunkDecoder | null = null;
  let left = 0;

  /** Processes a head. The state stays `head` after an interim response. */
  function processHead(text: string): void {
    const head = parseHead(text);
    if (head.status < 200 && head.status !== 101) return;
    framing = framingOf(head, method);
    events.head(head);
    state = 'body';
    if (framing.kind === 'length') left = framing.bytes;
    if (framing.kind === 'chunked') chunks = createChunkDecoder(events.body);
    if (framing.kind === 'none' || (framing.kind === 'length' && left === 0)) state = 'done';
  }

  function processBody(bytes: Buffer): void {
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
        const found = headScanner.feed(rest);
        if (found === null) return false;
        processHead(found.text);
        rest = rest.subarray(found.used);
      }
      if (state === 'body' && rest.length > 0) processBody(rest);
      return state === 'done';
    },
    end: () => state === 'done' || (state === 'body' && framing.kind === 'until_close'),
  };
}

/** Finds the end of a head in pieces of any size. Throws CheckFailure early if the bytes are not HTTP. */
interface HeadScanner {
  /** Returns the text of the head and the number of these bytes that belong to it; null while it is incomplete. */
  feed(bytes: Buffer): { text: string; used: number } | null;
}

function createHeadScanner(): HeadScanner {
  const kept = createByteCollector(HEAD_BYTES_MAX);
  /** Bytes that all heads of the response, including interim ones, may still take. */
  let bytesLeft = HEAD_BYTES_MAX;
  let statusLineRead = false;
  /** Blank lines before the head that were skipped in earlier pieces. */
  let blankBytes = 0;

  /** Returns the position after the empty line at the end of the head; -1 if there is none. */
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
      const all = (before > 0 ? kept.view() : bytes).subarray(0, bytesLeft);
      const start = afterBlankLines(all, blankBytes);
      blankBytes = start;
      rejectOtherProtocol(all, start);
      // The search starts two bytes earlier, because the pieces may split the line ends at the end of the head.
      const end = start === all.length ? -1 : findEnd(all, Math.max(start, before - 2), start);
      if (end !== -1) {
        const text = all.toString('latin1', start, end);
        bytesLeft -= end;
        statusLineRead = false;
        blankBytes = 0;
        kept.clear();
        return { text, used: end - before };
      }
      if (all.length === bytesLeft) {
        throw new CheckFailure(
          'response_too_large',
          `the headers of the response are larger than ${HEAD_BYTES_MAX / 1024} KiB`,
        );
      }
      if (before === 0) kept.add(bytes);
      return null;
    },
  };
}

function afterBlankLines(bytes: Buffer, from: number): number {
  let start = from;
  while (bytes[start] === LF || bytes[start] === CR) start++;
  return start;
}

/**
 * Servers of other protocols often send a greeting and wait. Its first bytes suffice to reject it, even without a line
 * end.
 */
function rejectOtherProtocol(bytes: Buffer, start: number): void {
  const prefix = bytes.toString('latin1', start, start + PREFIX.length);
  if (prefix.length === PREFIX.length && prefix !== PREFIX) parseStatusLine(prefix);
}
