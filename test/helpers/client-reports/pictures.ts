import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';

export const dataUrl = (type: string, bytes: Uint8Array) =>
  `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`;

export function pngChunk(name: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

interface PngOf {
  width?: number;
  height?: number;
  depth?: number;
  color?: number;
  interlaced?: number;
  /** Before the pixels. */
  chunks?: Buffer[];
  /** As they are compressed; defaults to those of an orange rectangle. */
  pixels?: Buffer;
}

/** Returns a PNG, which can be as wrong as the test wants it. */
export function pngOf(of: PngOf = {}): Buffer {
  const { width = 60, height = 20, depth = 8, color = 2, interlaced = 0, chunks = [] } = of;
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, depth, color, 0, 0, interlaced]);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  const row = () =>
    Buffer.concat([Buffer.from([0]), Buffer.from(Array.from({ length: width }, () => [230, 120, 0]).flat())]);
  const pixels = of.pixels ?? Buffer.concat(Array.from({ length: height }, row));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', head),
    ...chunks,
    pngChunk('IDAT', deflateSync(pixels)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Returns a picture of the first page of a PDF. */
export function pictureOf(pdf: Uint8Array, format: 'jpeg' | 'png', dpi: number): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'picket-report-'));
  try {
    const file = join(folder, 'report.pdf');
    writeFileSync(file, pdf);
    execFileSync('pdftoppm', [`-${format}`, '-r', String(dpi), '-singlefile', file, join(folder, 'page')]);
    return readFileSync(join(folder, format === 'jpeg' ? 'page.jpg' : 'page.png'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
