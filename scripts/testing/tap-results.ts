import type { Readable } from 'node:stream';
import { type FinalResults, Parser, type Result } from 'tap-parser';

/** What tap-parser says of output without any test. */
const NO_TESTS = 'no tests found';

/** The results of one test file. */
export interface TestResults {
  passed: number;
  failed: number;
  skipped: number;
  /** Each failing assertion with its place, ready to print. */
  failures: string[];
}

/**
 * Reads the TAP output of a test file to its end. A subtest ends with a test point that repeats its result, so only
 * leaves are counted, a subtest without assertions (it passes unless it throws), and a subtest that failed without a
 * failing leaf (a crash, a time limit, a broken plan).
 */
export async function readTap(file: string, output: Readable): Promise<TestResults> {
  const results: TestResults = { passed: 0, failed: 0, skipped: 0, failures: [] };
  const parser = new Parser();
  watch(parser, [file], results);
  const complete = new Promise<FinalResults>((resolve) => parser.once('complete', resolve));
  output.pipe(parser);
  const { ok, failures, plan } = await complete;
  if (plan.skipAll && plan.skipReason !== NO_TESTS) results.skipped += 1;
  // Wrong TAP, such as output that ends before its plan is fulfilled, has no failing assertion.
  if (!ok && results.failed === 0) fail(results, `${file}: ${JSON.stringify(failures)}`);
  return results;
}

export function fail(results: TestResults, message: string): void {
  results.failed += 1;
  results.failures.push(`not ok ${message}`);
}

function watch(parser: Parser, path: readonly string[], results: TestResults): void {
  let beforeChild: Pick<TestResults, 'passed' | 'failed' | 'skipped'> | null = null;
  parser.on('child', (child: Parser) => {
    beforeChild = { ...results };
    watch(child, [...path, child.name], results);
  });
  parser.on('assert', (point: Result) => {
    const before = beforeChild ?? results;
    const hasAssertions =
      results.passed + results.failed + results.skipped > before.passed + before.failed + before.skipped;
    const childFailed = results.failed > before.failed;
    beforeChild = null;
    if (point.skip || point.todo) results.skipped += 1;
    else if (!point.ok && !childFailed) fail(results, describe(path, point));
    else if (point.ok && !hasAssertions) results.passed += 1;
  });
}

function describe(path: readonly string[], point: Result): string {
  const lines = [[...path, point.name].filter(Boolean).join(' > ')];
  const { diff, at, message, found, wanted, exitCode, signal } = point.diag ?? {};
  if (diff) lines.push(diff);
  else if (found !== undefined || wanted !== undefined) {
    lines.push(`  found ${JSON.stringify(found)}, wanted ${JSON.stringify(wanted)}`);
  }
  if (message) lines.push(`  ${message}`);
  if (at?.fileName) lines.push(`  at ${at.fileName}:${at.lineNumber}`);
  if (exitCode || signal) lines.push(`  exit code ${exitCode ?? '-'}, signal ${signal ?? '-'}`);
  return lines.join('\n');
}
