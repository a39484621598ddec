import { execFile } from 'node:child_process';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { installCommand, transportOf } from '../../../control-plane/install/command.js';
import { installSlice } from '../../../control-plane/install/open.js';
import { probeInstallScript } from '../../../control-plane/install/probe-script.js';
import { createLogger, type Logger } from '../../../kernel/logger.js';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';

const TOKEN = 'pjt_eyJ2IjoxfQ';
const never = () => Promise.reject(new Error('the text is not needed'));

t.test('over https and on loopback the command pipes the script into a shell', async (t) => {
  t.equal(
    await installCommand('https://picket.example', 'agent.sh', TOKEN, never),
    `curl --proto '=https' -fsSL https://picket.example/install/agent.sh | sudo sh -s -- --token ${TOKEN}`,
  );
  t.equal(
    await installCommand('http://127.0.0.1:8080', 'probe.sh', TOKEN, never),
    `curl -fsSL http://127.0.0.1:8080/install/probe.sh | sudo sh -s -- --token ${TOKEN}`,
  );
  for (const host of ['localhost', '127.0.0.1', '[::1]']) t.equal(transportOf(`http://${host}:8080`), 'loopback');
  for (const host of ['10.0.0.5', 'picket.internal', '0.0.0.0', '[2001:db8::1]']) {
    t.equal(transportOf(`http://${host}:8080`), 'http', host);
  }
});

t.test('every word of the command that a shell could read otherwise is quoted', async (t) => {
  for (const publicUrl of [
    'https://picket.example/a&touch b;x',
    "https://picket.example/$(touch b)/'`touch c`'",
    'https://[2001:db8::1]:8443',
  ]) {
    const command = await installCommand(publicUrl, 'agent.sh', "pjt_' $(touch d)", never);
    // The programs print their arguments instead of running.
    const programs = String.raw`curl() { printf '%s\n' "$@"; }; sudo() { cat; printf '%s\n' "$@"; };`;
    const { output } = await shell(`${programs} ${command}`, {}, temporaryFolder(t));
    t.same(output.split('\n').slice(0, -1), [
      ...['--proto', '=https', '-fsSL', `${publicUrl}/install/agent.sh`],
      ...['sh', '-s', '--', '--token', "pjt_' $(touch d)"],
    ]);
  }
});

t.test('over plain http in a network the command runs only the script whose SHA-256 it contains', async (t) => {
  const folder = temporaryFolder(t);
  const script = `#!/bin/sh\nprintf '%s|' ran "$@"\n`;
  let served = script;
  const server = createServer((request, response) => {
    if (request.url === '/install/agent.sh') response.end(served);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  // A name that is not loopback for Picket; curl is told where it is.
  const command = await installCommand(`http://picket.test:${port}`, 'agent.sh', TOKEN, async () => script);
  const tools = temporaryFolder(t);
  await writeFile(join(tools, 'sudo'), '#!/bin/sh\nexec "$@"\n');
  const curl = `#!/bin/sh\nPATH=\${PATH#*:}\nexec curl --noproxy '*' --resolve picket.test:${port}:127.0.0.1 "$@"\n`;
  await writeFile(join(tools, 'curl'), curl);
  for (const tool of ['sudo', 'curl']) await chmod(join(tools, tool), 0o755);
  const env = { PATH: `${tools}:${process.env['PATH']}`, TMPDIR: folder };

  t.same(await shell(command, env, folder), { code: 0, output: `ran|--token|${TOKEN}|` });
  served = script.replace('ran', 'RAN');
  const refused = await shell(command, env, folder);
  t.not(refused.code, 0);
  t.notMatch(refused.output, /ran|RAN/, 'a replaced script does not run');
  t.same(await readdir(folder), [], 'no file stays behind');
});

t.test('the script downloads over https only if its own address is https', async (t) => {
  const script = probeInstallScript({
    publicUrl: 'https://picket.example',
    version: '1.0.0',
    package: { name: 'p.tar.gz', sha256: 'x' },
  });
  const folder = temporaryFolder(t);
  await writeFile(join(folder, 'curl'), `#!/bin/sh\nprintf '%s ' "$@" >>'${folder}/curl.log'\nexit 1\n`);
  await chmod(join(folder, 'curl'), 0o755);
  await writeFile(join(folder, 'install.sh'), script);
  const env = { PATH: `${folder}:${process.env['PATH']}`, PICKET_INSTALL_ROOT: join(folder, 'root') };
  const { code } = await shell(`sh install.sh --token ${TOKEN}`, env, folder);
  t.equal(code, 1);
  t.match(
    await readFile(join(folder, 'curl.log'), 'utf8'),
    /^--proto =https -fsSL .*https:\/\/picket\.example\/install\/p\.tar\.gz/,
  );
});

t.test('the operator gets a warning at start if the public URL is plain http in a network', async (t) => {
  const warningsOf = async (publicUrl: string) => {
    const warnings: unknown[] = [];
    const logger: Logger = createLogger({ name: 'test', level: 'silent' });
    logger.warn = (_fields: unknown, message?: unknown) => void warnings.push(message);
    await installSlice.open({ publicUrl, version: '1.0.0', logger });
    return warnings;
  };
  t.match(await warningsOf('http://picket.internal:8080'), [/^PICKET_PUBLIC_URL is plain http: /]);
  t.same(await warningsOf('http://127.0.0.1:8080'), []);
  t.same(await warningsOf('https://picket.example'), []);
});

/** Runs a command as a pasted line. */
function shell(command: string, env: Record<string, string>, cwd: string): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile('sh', ['-c', command], { cwd, env: { PATH: process.env['PATH'] ?? '', ...env } }, (error, stdout) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), output: stdout });
    });
  });
}
