import { promisify } from 'node:util';
import { crc32, deflate, inflate } from 'node:zlib';
import { LogoProblem, requirePixels } from './problem.js';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Length, name and checksum. */
const CHUNK_BYTES = 12;
const HEAD_BYTES = 13;
/** Bytes of a pixel by colour type: grey, RGB, palette, grey with alpha, RGB with alpha. */
const CHANNELS: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);
const FILTER_MAX = 4;
const PALETTE_BYTES_MAX = 768;
const BROKEN = 'must be a PNG file that is not damaged';

interface Chunk {
  name: string;
  data: Buffer;
}

/** Returns the picture with its pixels, palette and transparency only. Throws `LogoProblem`. */
export async function cleanPng(file: Buffer): Promise<Buffer> {
  const chunks = chunksOf(file);
  const head = chunks[0];
  if (head?.name !== 'IHDR' || head.data.length !== HEAD_BYTES) throw new LogoProblem(BROKEN);
  const [width, height] = [head.data.readUInt32BE(0), head.data.readUInt32BE(4)];
  requirePixels(width, height);
  const [depth, color = 0, , , interlaced] = head.data.subarray(8);
  const channels = CHANNELS.get(color);
  if (channels === undefined) throw new LogoProblem(BROKEN);
  if (depth !== 8 || interlaced !== 0)
    throw new LogoProblem('must be a PNG file with 8 bits per channel that is not interlaced');
  const palette = chunks.find(({ name }) => name === 'PLTE');
  if (color === 3 && (palette === undefined || palette.data.length > PALETTE_BYTES_MAX)) throw new LogoProblem(BROKEN);
  const rowBytes = 1 + width * channels;
  const pixels = await pixelsOf(chunks, rowBytes * height);
  for (let at = 0; at < pixels.length; at += rowBytes)
    if ((pixels[at] ?? 0) > FILTER_MAX) throw new LogoProblem(BROKEN);
  const transparency = chunks.find(({ name }) => name === 'tRNS');
  return Buffer.concat([
    SIGNATURE,
    chunkOf(head),
    ...(color === 3 && palette !== undefined ? [chunkOf(palette)] : []),
    ...(color < 4 && transparency !== undefined ? [chunkOf(transparency)] : []),
    chunkOf({ name: 'IDAT', data: await promisify(deflate)(pixels) }),
    chunkOf({ name: 'IEND', data: Buffer.alloc(0) }),
  ]);
}

/** Inflates at most the bytes that a picture of this size has. */
async function pixelsOf(chunks: readonly Chunk[], bytes: number): Promise<Buffer> {
  const data = Buffer.concat(chunks.filter(({ name }) => name === 'IDAT').map((chunk) => chunk.data));
  const inflated = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate);
  const pixels = await inflated(data, { maxOutputLength: bytes }).catch(() => null);
  if (pixels?.length !== bytes) throw new LogoProblem(BROKEN);
  return pixels;
}

function chunksOf(file: Buffer): Chunk[] {
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new LogoProblem(BROKEN);
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at < file.length; ) {
    if (at + CHUNK_BYTES > file.length) throw new LogoProblem(BROKEN);
    const length = file.readUInt32BE(at);
    const end = at + CHUNK_BYTES + length;
    if (end > file.length) throw new LogoProblem(BROKEN);
    const body = file.subarray(at + 4, end - 4);
    if (crc32(body) !== file.readUInt32BE(end - 4)) throw new LogoProblem(BROKEN);
    const name = body.toString('latin1', 0, 4);
    if (name === 'IEND') return chunks;
    chunks.push({ name, data: body.subarray(4) });
    at = end;
  }
  throw new LogoProblem(BROKEN);
}

function chunkOf({ name, data }: Chunk): Buffer {
  const chunk = Buffer.alloc(CHUNK_BYTES + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(name, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}
