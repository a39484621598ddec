/** A row of the report of scripts/faults: a scene, or one count of a scene. */
export interface FaultRow {
  file: string;
  result: 'passed' | 'failed';
  seconds: number;
  /** The fault and what was counted; null for a scene that only asserts. */
  fault: string | null;
  of: string | null;
  expected: number | null;
  seen: number | null;
  lost: number | null;
  doubled: number | null;
  falsePages: number | null;
}

const COLUMNS: readonly [head: string, cell: (row: FaultRow) => string | number | null][] = [
  ['scene', ({ file }) => file.replace(/^test\/faults\//, '').replace(/\.test\.ts$/, '')],
  ['result', ({ result }) => result],
  ['s', ({ seconds }) => seconds.toFixed(0)],
  ['fault', ({ fault }) => fault],
  ['of', ({ of }) => of],
  ['expected', ({ expected }) => expected],
  ['seen', ({ seen }) => seen],
  ['lost', ({ lost }) => lost],
  ['doubled', ({ doubled }) => doubled],
  ['false pages', ({ falsePages }) => falsePages],
];

/** Returns the rows as a table of plain text. What a scene does not count is a dash. */
export function faultTable(rows: readonly FaultRow[]): string {
  const lines = [COLUMNS.map(([head]) => head), ...rows.map((row) => COLUMNS.map(([, cell]) => `${cell(row) ?? '-'}`))];
  const widths = COLUMNS.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  return lines
    .map((cells) =>
      cells
        .map((cell, n) => cell.padEnd(widths[n] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
