import { mkdtempSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { openLogFile } from '../../../supervisor/log-file.js';
import { testClock } from '../../helpers/clock.js';

const MIB = 1024 * 1024;

t.test('a log that has become too large makes room, and keeps its last 16 MiB in another file', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'picket-log-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const clock = testClock();
  const { path, descriptor } = openLogFile(folder, clock);
  writeSync(descriptor, 'x'.repeat(16 * MIB));
  await clock.advance(60_000);
  t.equal(statSync(path).size, 16 * MIB, 'not yet too large');
  writeSync(descriptor, 'last line\n');
  await clock.advance(60_000);
  t.equal(statSync(path).size, 0);
  t.match(readFileSync(`${path}.1`, 'utf8').slice(-10), 'last line\n');
  writeSync(descriptor, 'next line\n');
  t.equal(readFileSync(path, 'utf8'), 'next line\n', 'writers go on at the start of the file');
});
