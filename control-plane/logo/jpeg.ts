import { LogoProblem, requirePixels } from './problem.js';

const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;
/** Baseline, extended and progressive frames. */
const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);
/** Tables of Huffman codes and quantisation, restart interval, and Adobe's note on how colours are stored. */
const KEPT: ReadonlySet<number> = new Set([...FRAMES, SCAN, 0xc4, 0xdb, 0xdd, 0xee]);
const BROKEN = 'must be a JPEG file that is not damaged';

/** Returns the picture without comments and metadata, such as where a photo was taken. Throws `LogoProblem`. */
export function cleanJpeg(file: Buffer): Buffer {
  if (file[0] !== 0xff || file[1] !== START) throw new LogoProblem(BROKEN);
  const kept: Buffer[] = [file.subarray(0, 2)];
  let frames = 0;
  let scans = 0;
  for (let at = 2; ; ) {
    if (file[at] !== 0xff) throw new LogoProblem(BROKEN);
    const marker = file[at + 1] ?? 0;
    if (marker === END) break;
    const length = at + 4 <= file.length ? file.readUInt16BE(at + 2) : 0;
    const end = at + 2 + length;
    if (length < 2 || end > file.length) throw new LogoProblem(BROKEN);
    if (FRAMES.has(marker)) {
      requireFrame(file.subarray(at + 4, end));
      frames++;
    }
    const next = marker === SCAN ? afterScan(file, end) : end;
    if (marker === SCAN) scans++;
    if (KEPT.has(marker)) kept.push(file.subarray(at, next));
    at = next;
  }
  if (frames !== 1 || scans === 0) throw new LogoProblem(BROKEN);
  return Buffer.concat([...kept, Buffer.from([0xff, END])]);
}

function requireFrame(frame: Buffer): void {
  if (frame.length < 6) throw new LogoProblem(BROKEN);
  const [bits, , , , , channels] = frame;
  requirePixels(frame.readUInt16BE(3), frame.readUInt16BE(1));
  if (bits !== 8 || (channels !== 1 && channels !== 3))
    throw new LogoProblem('must be a JPEG file with 8 bits per channel, in RGB or grey');
}

/** Returns the place of the next marker. Within a scan, 0xff is followed by 0 or a restart marker. */
function afterScan(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at >= 0; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  throw new LogoProblem(BROKEN);
}
