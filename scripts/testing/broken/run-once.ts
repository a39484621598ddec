import { reportSums } from '../report.js';
import { runFile } from '../run-file.js';
import { runFiles } from '../run-files.js';
import { compileTests } from '../test-files.js';

/** Runs the test files of the arguments. Red ones do not run again, because they are expected to stay red. */

const GUARD_MS = 600_000;

const compiledOf = await compileTests();
const results = await runFiles(process.argv.slice(2), (file) =>
  runFile({ file, compiled: compiledOf(file), guardMs: GUARD_MS, env: process.env }),
);
process.exitCode = reportSums(results);
