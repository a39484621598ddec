import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs a program of poppler on a file, as readers outside of Picket see it. */
function poppler(program: 'pdftotext' | 'pdfinfo', pdf: Uint8Array, args: readonly string[]): string {
  return onFile(pdf, (file) =>
    execFileSync(program, [...args, file, ...(program === 'pdftotext' ? ['-'] : [])], { encoding: 'utf8' }),
  );
}

function onFile(pdf: Uint8Array, read: (file: string) => string): string {
  const folder = mkdtempSync(join(tmpdir(), 'picket-report-'));
  try {
    const file = join(folder, 'report.pdf');
    writeFileSync(file, pdf);
    return read(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Returns the text of a PDF with its columns, each run of spaces as one. poppler leaves out narrow spaces, as before a unit.
 */
export function textOf(pdf: Uint8Array): string {
  return poppler('pdftotext', pdf, ['-layout'])
    .replaceAll(/ +/g, ' ')
    .replaceAll(/(\d)(?=(?:d|h|min|s|ms|%)(?: |$))/gm, '$1 ');
}

/** Returns what is wrong with the structure of a PDF: nothing, if every reader can open it. */
export function faultsOf(pdf: Uint8Array): string {
  return onFile(pdf, (file) => {
    const { stdout, stderr } = spawnSync('qpdf', ['--check', file], { encoding: 'utf8' });
    return /No syntax or stream encoding errors found/.test(stdout) && stderr === '' ? '' : `${stdout}${stderr}`;
  });
}

/** Returns the text of each page. */
export function pagesOf(pdf: Uint8Array): string[] {
  return textOf(pdf).split('\f').slice(0, -1);
}

/** Returns the properties of a PDF by their names. */
export function infoOf(pdf: Uint8Array): Record<string, string> {
  const lines = poppler('pdfinfo', pdf, []).split('\n');
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
}
