import { CheckFailure } from '../outcome.js';
import { HEAD_BYTES_MAX, HEADERS_MAX, protocolError } from './head.js';

/** A chunk's size line holds a number and seldom an extension; more than this is an attack or nonsense. */
const SIZE_LINE_BYTES_MAX = 4096;
const LF = 0x0a;

/**
 * size: in a chunk's size line. data: inside a chunk. data_end: at the line end after a chunk. trailer: in the lines
 * after the last chunk. done: the empty line after them was read.
 */
type ChunkState = 'size' | 'data' | 'data_end' | 'trailer' | 'done';

/** Undoes the chunked transfer coding (RFC 9112 section 7.1), whatever the pieces in which the bytes arrive. */
export interface ChunkDecoder {
  /** true once the body is complete; bytes after its end are ignored. */
  feed(bytes: Buffer): boolean;
}

export function createChunkDecoder(onData: (bytes: Buffer) => void): ChunkDecoder {
  let state: ChunkState = 'size';
  let left = 0;
  let line = '';
  let trailerBytes = 0;
  let trailers = 0;

  /** Takes bytes up to the next line end into `line`; the position after them, or -1 when the line is not complete. */
  function takeLine(bytes: Buffer, from: number, bytesMax: number): number {
    const end = bytes.indexOf(LF, from);
    line += bytes.toString('latin1', from, end === -1 ? bytes.length : end);
    if (line.length > bytesMax) throw protocolError('the answer has an endless line in its chunked body');
    return end === -1 ? -1 : end + 1;
  }

  /** What a complete line means in the present state; returns the next one. */
  function readLine(): ChunkState {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    line = '';
    if (state === 'size') {
      const size = /^[ \t]*(?<hex>[0-9a-fA-F]{1,13})[ \t]*(?:;.*)?$/.exec(text)?.groups?.['hex'];
      if (size === undefined) throw protocolError('the answer has an unreadable chunk size');
      left = Number.parseInt(size, 16);
      return left === 0 ? 'trailer' : 'data';
    }
    if (state === 'data_end') {
      if (text !== '') throw protocolError('a chunk of the answer is longer than its size says');
      return 'size';
    }
    if (text === '') return 'done';
    trailerBytes += text.length;
    if (++trailers > HEADERS_MAX || trailerBytes > HEAD_BYTES_MAX) {
      throw new CheckFailure('response_too_large', 'the answer has too many trailers');
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
        const next = takeLine(bytes, at, state === 'trailer' ? HEAD_BYTES_MAX : SIZE_LINE_BYTES_MAX);
        if (next === -1) break;
        at = next;
        state = readLine();
      }
      return state === 'done';
    },
  };
}
