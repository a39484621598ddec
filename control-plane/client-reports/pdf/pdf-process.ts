import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSync } from 'fontkit';
import pdfmake from 'pdfmake';
import type { ReportContent } from '../content/content.js';
import { reportDocument } from './document.js';
import { createGlyphs } from './glyphs.js';

/**
 * The program that makes the PDF of one report and ends: `make-pdf.ts` starts it with limited memory. It is a process and
 * not a thread, because a thread that runs out of memory can take the whole control plane with it.
 */

/** What the program answers. */
export interface MadePdf {
  pdf: Uint8Array;
  pages: number;
}

const FONT = fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'));
const fontFile = (style: string) => FONT.replace(/\.ttf$/, `${style}.ttf`);

process.once('message', (report: ReportContent) => {
  void makePdf(report).then((made) => process.send?.(made, () => process.disconnect()));
});

async function makePdf(report: ReportContent): Promise<MadePdf> {
  const font = openSync(FONT);
  if (!('hasGlyphForCodePoint' in font)) throw new Error('the file of the font has several fonts');
  const glyphs = createGlyphs((codePoint) => font.hasGlyphForCodePoint(codePoint));
  // Nothing is read but the fonts, whatever a report contains.
  pdfmake.setUrlAccessPolicy(() => false);
  pdfmake.setLocalAccessPolicy((path) => path.startsWith(dirname(FONT) + sep));
  pdfmake.addFonts({
    DejaVu: {
      ...{ normal: FONT, bold: fontFile('-Bold'), italics: fontFile('-Oblique') },
      bolditalics: fontFile('-BoldOblique'),
    },
  });
  let pages = 1;
  const definition = reportDocument(report, glyphs, (count) => {
    pages = count;
  });
  const pdf = await pdfmake.createPdf(definition).getBuffer();
  return { pdf, pages };
}
