import { CheckFailure } from '../outcome.js';
import { HEAD_BYTES_MAX, HEADERS_MAX, protocolError } from './head.js';

/** A size line contains a number and rarely an extension. A longer line is an attack or invalid. */
const SIZE_LINE_BYTES_MAX = 4096;
const LF = 0x0a;

/**
 * size: in the size line of a chunk. data: in a chunk. data_end: before the line end after a chunk. trailer: in the
 * lines after the last chunk. done: after the empty line at the end.
 */
type ChunkState = 'size' | 'data' | 'data_end' | 'trailer' | 'done';

/** Decodes the chunked transfer coding (RFC 9112 section 7.1) from pieces of any size. */
export interface ChunkDecoder {
  /** Returns true when the body is complete. Bytes after its end are ignored. */
  feed(bytes: Buffer): boolean;
}

export function createChunkDecoder(onData: (bytes: Buffer) => void): ChunkDecoder {
  let state: ChunkState = 'size';
  let left = 0;
  let line = '';
  let trailerBytes = 0;
  let trailers = 0;

  /** Appends bytes up to the next line end to `line`. Returns the position after it; -1 if the line is incomplete. */
  function appendLine(bytes: Buffer, from: number, bytesMax: number): number {
    const end = bytes.indexOf(LF, from);
    line += bytes.toString('latin1', from, end === -1 ? bytes.length : end);
    if (line.length > bytesMax) throw protocolError('the chunked body of the response has a line that is too long');
    return end === -1 ? -1 : end + 1;
  }

  /** Processes a complete line. Returns the next state. */
  function readLine(): ChunkState {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    line = '';
    if (state === 'size') {
      const size = /^[ \t]*(?<hex>[0-9a-fA-F]{1,13})[ \t]*(?:;.*)?$/.exec(text)?.groups?.['hex'];
      if (size === undefined) throw protocolError('the response has an invalid chunk size');
      left = Number.parseInt(size, 16);
      return left === 0 ? 'trailer' : 'data';
    }
    if (state === 'data_end') {
      if (text !== '') throw protocolError('a chunk of the response is longer than its declared size');
      return 'size';
    }
    if (text === '') return 'done';
    trailerBytes += text.length;
    if (++trailers > HEADERS_MAX || trailerBytes > HEAD_BYTES_MAX) {
      throw new CheckFailure('response_too_large', 'the response has too many trailers');
    }
    return 'trailer';
  }

  return {
    feed(bytes) {
      let at = 0;
      while (at < bytes.length && state !== 'done') {
        if (state === 'data') {
          const taken = Math.min(left, bytes.length - at);
          onData(bytes.subarray(at, at + taken));
          left -= taken;
          at += taken;
          if (left === 0) state = 'data_end';
          continue;
        }
        const next = appendLine(bytes, at, state === 'trailer' ? HEAD_BYTES_MAX : SIZE_LINE_BYTES_MAX);
        if (next === -1) break;
        at = next;
        state = readLine();
      }
      return state === 'done';
    },
  };
}
