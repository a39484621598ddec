/** Where a line is in a text. */
interface Place {
  /** Of its characters. */
  start: number;
  end: number;
  /** The part of the text's lines that is above it. */
  share: number;
}

/** Returns the place of a line, counted from 1, in a text of a field, which has line feeds only. Pure. */
export function placeOfLine(text: string, line: number): Place {
  const lines = text.split('\n');
  const before = lines.slice(0, line - 1);
  const start = before.reduce((sum, one) => sum + one.length + 1, 0);
  return { start, end: start + (lines[line - 1]?.length ?? 0), share: before.length / lines.length };
}
