import { AppError } from '../../errors.js';

/** Bytes of a file, from `first` to `last`, both included. */
export interface ByteRange {
  first: number;
  last: number;
  totalBytes: number;
}

const SINGLE_RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/i;

/**
 * Returns the bytes that the header `Range` of a request asks for (RFC 9110, section 14). Returns null, for the whole
 * file, without the header and for what the RFC lets a server ignore: several ranges, other units and malformed values.
 * Throws 416 for a range outside of the file.
 */
export function byteRange(header: string | null, totalBytes: number): ByteRange | null {
  const match = header === null ? null : SINGLE_RANGE.exec(header.trim());
  if (match === null || match === undefined) return null;
  const [, from = '', to = ''] = match;
  if (from === '' && to === '') return null;
  const end = totalBytes - 1;
  const first = from === '' ? Math.max(0, totalBytes - Number(to)) : Number(from);
  const last = from === '' || to === '' ? end : Math.min(end, Number(to));
  if (from !== '' && to !== '' && Number(to) < Number(from)) return null;
  if (first > end) {
    throw new AppError(
      'range_not_satisfiable',
      `The file has ${totalBytes.toLocaleString('en-US')} bytes. Request a range within it.`,
      { headers: { 'Content-Range': `bytes */${totalBytes}` } },
    );
  }
  return { first, last, totalBytes };
}
