import { toString as draw } from 'qrcode';

/** Light modules around the code that scanners need (ISO/IEC 18004). */
const QUIET_ZONE_MODULES = 4;

/** Returns a QR code of the text as an SVG document, black on white so that it works in dark mode too. */
export function qrCodeSvg(text: string): Promise<string> {
  return draw(text, { type: 'svg', errorCorrectionLevel: 'M', margin: QUIET_ZONE_MODULES });
}
