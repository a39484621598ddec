import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { isFault } from '../../../scripts/testing/test-files.js';

/** What reads how long something took, or how much memory it uses. Counted work is the same on every machine. */
const MEASURES =
  /performance\.now\(|process\.(cpuUsage|hrtime|memoryUsage|resourceUsage)|\bVm(HWM|RSS)\b|peakMemory|memoryMib|togetherMib/;

/** Files that do not assert what they read. */
const ALLOWED = [
  // Deadlines against hanging.
  'test/helpers/wait.ts',
  // For test/faults and the benches.
  'test/helpers/processes/child-processes.ts',
  'test/helpers/processes/peak-memory.ts',
  // This list.
  'test/unit/scripts/tests-without-time.test.ts',
];

t.test('no test outside of test/faults measures time, CPU or memory', async (t) => {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((path) => join('test', path))
    .filter((path) => path.endsWith('.ts') && !isFault(path) && !ALLOWED.includes(path));
  t.ok(files.length > 500, `${files.length} files`);
  const found = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => (MEASURES.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
  t.same(found, [], 'count the work instead, or move the figure to bench/limits');
});
