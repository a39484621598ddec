/**
 * Matches cells that a spreadsheet runs as a formula: `=`, `+`, `-` or `@`, also in full-width and small forms, at the
 * start or after characters that some programs strip (spaces, control characters, zero-width marks). Also matches a
 * tab, CR or LF at the start, because some programs look for a formula after it.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212])/u;

/**
 * Returns the cell as text that no spreadsheet runs: an apostrophe precedes a formula. A NUL becomes its visible symbol,
 * because many CSV readers stop at it. JSON exports contain the original text.
 */
export function withoutFormula(cell: string): string {
  const text = cell.replaceAll('\0', '\u2400');
  return FORMULA.test(cell) ? `'${text}` : text;
}
