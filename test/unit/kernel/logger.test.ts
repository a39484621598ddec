import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { waitFor } from '../../helpers/wait.js';

const CHATTY = fileURLToPath(new URL('../../helpers/processes/chatty-process.ts', import.meta.url));
const END_MS_MAX = 5_000;

/** Logs about 5 MB to a stdout that is read only when the test wants it. */
function startChatty() {
  // stdout becomes non-blocking as soon as one of the processes that share it makes it so, as ours do.
  const child = spawn(process.execPath, ['--import', 'tsx', CHATTY], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  t.teardown(() => child.kill('SIGKILL'));
  return child;
}

t.test('a log that nobody reads neither stops a process nor keeps it from ending', async (t) => {
  const child = startChatty();
  await once(child, 'message', { signal: AbortSignal.timeout(20_000) });
  const gone = once(child, 'exit', { signal: AbortSignal.timeout(END_MS_MAX) });
  child.kill('SIGTERM');
  t.same(await gone, [0, null]);
});

t.test('what could not wait is counted, and told once somebody reads again', async (t) => {
  const child = startChatty();
  await once(child, 'message', { signal: AbortSignal.timeout(20_000) });
  const lines: Record<string, unknown>[] = [];
  if (child.stdout === null) throw new Error('its stdout is a pipe');
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)));
  const told = await waitFor('a word about dropped lines', 10_000, async () =>
    lines.find((line) => typeof line['lines'] === 'number'),
  );
  const written = lines.filter((line) => line['msg'] === 'a line').length;
  t.ok(written > 1_000, 'what fitted into the buffer came');
  t.equal(written + Number(told['lines']), 20_000, 'every line is either there or counted');
});
