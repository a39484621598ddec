// CSV is written by hand for speed: an export of the audit log must reach 20,000 rows/s, and csv-stringify reached at
// most 25,500 rows/s (bench/audit.ts).

/** A value as JSON, which reads back unchanged: its formulas are escaped as JSON allows. */
interface JsonCell {
  json: unknown;
}

/** What some programs strip before they look for a formula: spaces, control characters, zero-width marks, quotes. */
const STRIPPED_ONE = String.raw`[\s\p{Cc}\p{Cf}"]`;
const STRIPPED = `${STRIPPED_ONE}*`;
/** `=`, `+`, `-` and `@`, also in full-width and small forms. */
const SIGN = String.raw`[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212]`;
/**
 * Where a program can begin a cell other than we do: Excel with German settings separates by semicolons and then sees no
 * quotes of ours around a cell.
 */
const SEPARATOR = String.raw`[,;\t\r\n\v\f\x85\u2028\u2029]`;

/** A cell that a spreadsheet runs, or a line break or a tab at its start, after which some programs look for a formula. */
const FORMULA_AT_START = new RegExp(`^(?:[\\t\\r\\n]|${STRIPPED}${SIGN})`, 'u');
// No separator is passed over, so that a text of a million line breaks takes no longer than another.
const FORMULA_WITHIN = new RegExp(`(?<=${SEPARATOR})(?=(?:(?!${SEPARATOR})${STRIPPED_ONE})*${SIGN})`, 'gu');
const FORMULA_IN_JSON = new RegExp(`(?<=(?:^"|${SEPARATOR})${STRIPPED})${SIGN}`, 'gu');
const JSON_STRING = /"(?:[^"\\]|\\.)*"/g;

/**
 * Returns one line of RFC 4180, with CR LF at its end and every cell in quotes. null is an empty cell. An apostrophe stands
 * before what a spreadsheet would run as a formula, at the start of a cell and after each separator and line break in it.
 */
export function csvLine(cells: readonly (string | null | JsonCell)[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: string | null | JsonCell): string {
  if (cell === null) return '""';
  const text = typeof cell === 'string' ? withoutFormulas(cell) : jsonWithoutFormulas(cell.json);
  return `"${text.includes('"') ? text.replaceAll('"', '""') : text}"`;
}

function withoutFormulas(cell: string): string {
  // Many CSV readers stop at a NUL, so it becomes its visible symbol.
  const text = cell.includes('\0') ? cell.replaceAll('\0', '\u2400') : cell;
  const guarded = text.replace(FORMULA_WITHIN, "'");
  return FORMULA_AT_START.test(cell) ? `'${guarded}` : guarded;
}

function jsonWithoutFormulas(value: unknown): string {
  return JSON.stringify(value).replace(JSON_STRING, (text) => text.replace(FORMULA_IN_JSON, unicodeEscape));
}

function unicodeEscape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
