import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type FaultRow, faultTable } from './fault-table.js';
import { reportSums } from './report.js';
import { type FileResults, runFile } from './run-file.js';
import { runFiles } from './run-files.js';
import { compileTests, isFault, testFiles } from './test-files.js';

/** Runs the fault scenes with the runner of the tests, but none of them again, and reports what they counted. */

/** Far more than any scene takes on a slow machine. */
const GUARD_MS = 30 * 60_000;
const REPORT = '.cache/faults.json';
const NO_COUNTS = { fault: null, of: null, expected: null, seen: null, lost: null, doubled: null, falsePages: null };

async function main(names: readonly string[]): Promise<number> {
  const files = testFiles().filter(
    (file) => isFault(file) && (names.length === 0 || names.some((name) => isNamed(file, name))),
  );
  if (files.length === 0) throw new Error(`there is no fault scene named ${names.join(' ')}`);
  const compiledOf = await compileTests();
  const folder = mkdtempSync(join(tmpdir(), 'picket-faults-'));
  const reportOf = (file: string) => join(folder, file.replaceAll('/', '_'));
  try {
    const results = await runFiles(files, (file) => {
      writeFileSync(reportOf(file), '');
      const env = { ...process.env, PICKET_FAULT_REPORT: reportOf(file) };
      return runFile({ file, compiled: compiledOf(file), guardMs: GUARD_MS, env });
    });
    const rows = results.flatMap((one) => rowsOf(one, readFileSync(reportOf(one.file), 'utf8')));
    writeFileSync(REPORT, `${JSON.stringify(rows, null, 2)}\n`);
    console.log(`\n${faultTable(rows)}`);
    return reportSums(results);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `kills`, `product/kills`, `product` and the whole path name test/faults/product/kills.test.ts. */
function isNamed(file: string, name: string): boolean {
  const scene = file.replace(/^test\/faults\//, '').replace(/\.test\.ts$/, '');
  return [file, scene, basename(scene)].includes(name) || scene.startsWith(`${name}/`);
}

function rowsOf({ file, failed, seconds }: FileResults, counted: string): FaultRow[] {
  const scene = { file, result: failed === 0 ? ('passed' as const) : ('failed' as const), seconds };
  const counts = counted.split('\n').filter((line) => line !== '');
  if (counts.length === 0) return [{ ...scene, ...NO_COUNTS }];
  return counts.map((line) => ({ ...scene, ...JSON.parse(line) }));
}

process.exitCode = await main(process.argv.slice(2));
