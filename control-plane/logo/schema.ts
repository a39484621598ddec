import { Type } from 'typebox';
import { LOGO_BYTES_MAX, LOGO_CHARS_MAX } from './logo.js';
import { LOGO_PIXELS_MAX } from './problem.js';

export const LogoUrl = Type.String({
  pattern: '^data:image/(?:png|jpeg);base64,[A-Za-z0-9+/]+={0,2}$',
  maxLength: LOGO_CHARS_MAX,
  description: `A PNG or JPEG as \`data:\` URL, of at most ${LOGO_BYTES_MAX / 1_024} KiB and ${LOGO_PIXELS_MAX.toLocaleString('en-US')} pixels, with 8 bits per channel. Metadata in it is removed.`,
});
