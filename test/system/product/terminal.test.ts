import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { freePort, NO_RESOLVER } from '../../helpers/machine/ports.js';
import { waitFor } from '../../helpers/wait.js';

const SUPERVISOR = fileURLToPath(new URL('../../../build/supervisor/main.js', import.meta.url));
const READY_MS_MAX = 120_000;
const CTRL_C = '\u0003';

t.test('a terminal shows the address and where the password is; the log goes to a file', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'picket-terminal-'));
  const port = await freePort();
  // script(1) gives the program a terminal of its own. Without exec, a dash that waits for it would end with 130.
  const terminal = spawn('script', ['-qefc', `exec ${process.execPath} ${SUPERVISOR}`, '/dev/null'], {
    env: {
      ...process.env,
      ...{ PICKET_DATA_DIR: dataDir, PICKET_HTTP_PORT: String(port), PICKET_GRPC_PORT: String(await freePort()) },
      ...{ PICKET_LOCATIONS: 'fra', PICKET_LOCAL_AGENT: '0', PICKET_DNS_SERVERS: NO_RESOLVER },
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  terminal.stdout.on('data', (chunk) => (shown += chunk));
  // Not `exit`, after which the rest of the output may come.
  const ended = new Promise<number | null>((resolve) => terminal.once('close', resolve));
  t.teardown(async () => {
    terminal.kill('SIGTERM');
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  });

  await waitFor('Picket to say that it runs', READY_MS_MAX, () => shown.includes('Ctrl-C stops it.'));
  for (const part of ['database', 'control plane', 'probes']) t.match(shown, `picket: starting the ${part}`);
  const firstRunFile = join(dataDir, 'first-run.json');
  const logFile = join(dataDir, 'picket.log');
  t.match(
    shown,
    `picket: running at http://127.0.0.1:${port} (password: ${firstRunFile}, log: ${logFile}). Ctrl-C stops it.`,
  );
  const { password, api_key } = JSON.parse(await readFile(firstRunFile, 'utf8'));
  t.notOk(shown.includes(password) || shown.includes(api_key), 'no secret on the terminal');
  const others = shown.split('\r\n').filter((line) => line !== '' && !/^(?:picket|warning): /.test(line));
  t.same(others, [], 'nothing but sentences of Picket');
  const lines = (await readFile(logFile, 'utf8')).trim().split('\n');
  t.ok(lines.length > 0 && lines.every((line) => typeof JSON.parse(line).msg === 'string'), 'the log is JSON lines');
  t.equal((await stat(logFile)).mode & 0o777, 0o600, 'the log is private');

  terminal.stdin.write(CTRL_C);
  t.equal(await ended, 0, 'Ctrl-C stops it');
  t.match(shown, /picket: stopped\r\n$/);
});
