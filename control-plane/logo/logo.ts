import { invalidField } from '../errors.js';
import { cleanJpeg } from './jpeg.js';
import { cleanPng } from './png.js';
import { LogoProblem } from './problem.js';

export const LOGO_BYTES_MAX = 262_144;
/** `data:image/jpeg;base64,` and four characters for each three bytes. */
export const LOGO_CHARS_MAX = 23 + Math.ceil(LOGO_BYTES_MAX / 3) * 4;

/** A picture without anything but its pixels: no text, place, date or profile of whoever made it. */
export interface Logo {
  type: 'png' | 'jpeg';
  bytes: Buffer;
}

/**
 * Returns the logo in a `data:` URL. Its size is read from its head, so a picture of many pixels is never decoded. SVG is a
 * program and not a picture, and is refused. Throws 422, with the path of the field in the request.
 */
export async function readLogo(url: string, path: string): Promise<Logo> {
  const [head, base64 = ''] = url.split(',', 2);
  const bytes = Buffer.from(base64, 'base64');
  const type = head === 'data:image/png;base64' ? 'png' : 'jpeg';
  try {
    if (bytes.length > LOGO_BYTES_MAX) throw new LogoProblem(`must have at most ${LOGO_BYTES_MAX / 1_024} KiB`);
    return { type, bytes: type === 'png' ? await cleanPng(bytes) : cleanJpeg(bytes) };
  } catch (error) {
    if (error instanceof LogoProblem) throw invalidField(path, error.message);
    throw error;
  }
}

export function logoUrl({ type, bytes }: { type: Logo['type']; bytes: Uint8Array }): string {
  return `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`;
}
