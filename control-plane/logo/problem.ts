/** A logo is printed at most 6 cm wide, for which this is much. */
export const LOGO_PIXELS_MAX = 2_000_000;

/** A picture that Picket does not take. The message is a sentence for whoever sent it. */
export class LogoProblem extends Error {}

/** Throws for a picture without or with too many pixels. */
export function requirePixels(width: number, height: number): void {
  if (width === 0 || height === 0) throw new LogoProblem('must have a width and a height');
  if (width * height > LOGO_PIXELS_MAX)
    throw new LogoProblem(`must have at most ${LOGO_PIXELS_MAX.toLocaleString('en-US')} pixels`);
}
