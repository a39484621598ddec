import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import t from 'tap';
import { nodeArguments } from '../../helpers/processes/node-arguments.js';
import { waitFor } from '../../helpers/wait.js';

const CHATTY = nodeArguments(new URL('../../helpers/processes/logging-process.ts', import.meta.url));
const END_MS_MAX = 5_000;
/** Larger than the buffer of a log. The unit of `ulimit -f` is 512 bytes. */
const DISK_BYTES = 3_072 * 512;

/** Starts a process that logs about 5 MB to a stdout that only the test reads. */
function startChatty() {
  // stdout becomes non-blocking as soon as one of the processes that share it makes it so, as these do.
  const child = spawn(process.execPath, CHATTY, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  t.teardown(() => child.kill('SIGKILL'));
  return child;
}

t.test('an unread log neither blocks a process nor keeps it from exiting', async (t) => {
  const child = startChatty();
  await once(child, 'message', { signal: AbortSignal.timeout(20_000) });
  const gone = once(child, 'exit', { signal: AbortSignal.timeout(END_MS_MAX) });
  child.kill('SIGTERM');
  t.same(await gone, [0, null]);
});

t.test('a log on a full disk neither ends a process nor keeps it from exiting', async (t) => {
  const full = openSync('/dev/full', 'w');
  t.teardown(() => closeSync(full));
  const child = spawn(process.execPath, CHATTY, { stdio: ['ignore', full, 'inherit', 'ipc'] });
  t.teardown(() => child.kill('SIGKILL'));
  for (let alive = 0; alive < 5; alive++) await once(child, 'message', { signal: AbortSignal.timeout(20_000) });
  const gone = once(child, 'exit', { signal: AbortSignal.timeout(END_MS_MAX) });
  child.kill('SIGTERM');
  t.same(await gone, [0, null]);
});

t.test('a log whose disk was full until the buffer was full goes on when there is space again', async (t) => {
  const path = join(t.testdir(), 'log');
  const file = openSync(path, 'a');
  t.teardown(() => closeSync(file));
  const limited = ['-c', `ulimit -S -f ${DISK_BYTES / 512}; exec "$@"`, 'sh', process.execPath, ...CHATTY];
  const child = spawn('sh', limited, { stdio: ['ignore', file, 'inherit', 'ipc'] });
  t.teardown(() => child.kill('SIGKILL'));
  const alive = () => once(child, 'message', { signal: AbortSignal.timeout(20_000) });
  await alive();
  child.send(20_000);
  await waitFor('the disk to be full', 10_000, async () => statSync(path).size === DISK_BYTES);
  child.send(20_000);
  // Time for the write that fails, after which no other is under way.
  for (let times = 0; times < 5; times++) await alive();
  truncateSync(path);
  child.send(1);
  // The line that the full disk cut in two comes first.
  const written = () =>
    readFileSync(path, 'utf8')
      .split('\n')
      .slice(1, -1)
      .map((line) => JSON.parse(line));
  await waitFor('the line about dropped lines', 10_000, async () => written().some(({ lines }) => lines > 1_000));
  child.send(1);
  const last = await waitFor('a later line', 10_000, async () => written().find(({ line }) => line === 60_001));
  t.equal(last.msg, 'a line');
});

t.test('dropped lines are counted, and the count is logged once the log is read again', async (t) => {
  const child = startChatty();
  await once(child, 'message', { signal: AbortSignal.timeout(20_000) });
  const lines: Record<string, unknown>[] = [];
  if (child.stdout === null) throw new Error('its stdout is a pipe');
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)));
  const dropped = await waitFor('the line about dropped lines', 10_000, async () =>
    lines.find((line) => typeof line['lines'] === 'number'),
  );
  const written = lines.filter((line) => line['msg'] === 'a line').length;
  t.ok(written > 1_000, 'the lines in the buffer are written');
  t.equal(written + Number(dropped['lines']), 20_000, 'every line is written or counted');
});
