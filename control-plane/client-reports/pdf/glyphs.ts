/** Characters that have no glyph of their own: joiners, direction marks, variation selectors. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
const COMBINING = /\p{M}/u;

/** Stands for characters that the font does not have. The font has it. */
export const SUBSTITUTE = '\uFFFD';

/** Text as a font can show it. */
export interface Glyphs {
  /** Returns the text with one substitute for each run of characters that the font does not have. */
  plain(text: string): string;
  /** Returns the same as pdfmake needs it, see `inVisualOrder`. */
  shown(text: string): string | string[];
  /** Returns whether anything was substituted so far. */
  hasSubstituted(): boolean;
}

export function createGlyphs(hasGlyph: (codePoint: number) => boolean): Glyphs {
  let substituted = false;
  return {
    hasSubstituted: () => substituted,
    shown: (text) => inVisualOrder(plain(text)),
    plain,
  };

  function plain(text: string): string {
    let shown = '';
    let inRun = false;
    for (const char of text.normalize('NFC')) {
      if (INVISIBLE.test(char)) continue;
      // A mark of a character that is substituted belongs to it.
      if (inRun && COMBINING.test(char)) continue;
      const known = hasGlyph(char.codePointAt(0) ?? 0);
      if (known) shown += char;
      else if (!inRun) shown += SUBSTITUTE;
      inRun = !known;
      substituted ||= inRun;
    }
    return shown;
  }
}

/** Words of scripts that are written from right to left, with the spaces between them. */
const RIGHT_TO_LEFT =
  /((?:[\p{Script=Arabic}\p{Script=Hebrew}][\p{Script=Arabic}\p{Script=Hebrew}\p{M}]*\s*)+(?<!\s))/u;

/**
 * Returns a text with its words from left to right, as pdfmake places them: it sets the letters of an Arabic word correctly,
 * but knows no direction of lines. Each such word is a piece of its own, because the font would set a space behind it before
 * it. Right for names, which have one line; a text of several lines would need the whole bidirectional algorithm.
 */
function inVisualOrder(text: string): string | string[] {
  const pieces = text.split(RIGHT_TO_LEFT);
  if (pieces.length === 1) return text;
  return pieces
    .flatMap((piece, place) => (place % 2 === 0 ? [piece] : piece.split(/(\s+)/u).reverse()))
    .filter(Boolean);
}
