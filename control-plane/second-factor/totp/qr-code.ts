/** Light modules around the code that scanners need (ISO/IEC 18004). */
const QUIET_ZONE_MODULES = 4;

/** Returns a QR code of the text as an SVG document, black on white so that it works in dark mode too. */
export async function qrCodeSvg(text: string): Promise<string> {
  // Loaded with the first code: it takes 10 MB.
  const { default: qrCode } = await import('qrcode');
  return qrCode.toString(text, { type: 'svg', errorCorrectionLevel: 'M', margin: QUIET_ZONE_MODULES });
}
