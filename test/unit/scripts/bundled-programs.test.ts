import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import t from 'tap';
import { CONTROL_PLANE_NODE_FLAGS } from '../../../supervisor/node-flags.js';
import { builtProcess } from '../../helpers/processes/control-plane.js';

const MAIN = resolve('build/control-plane/main.js');
const CHUNKS = resolve('build/chunks');
/** A control plane without bundles loads more than a thousand. */
const FILES_MAX = 60;
const BARE = /^[\w@]/;
const IMPORT = /(?:^|[;}\n])(?:import|export)\s*(?:[^"'();]*?from\s*)?"([^"]+)"/g;

/** Returns what a built program loads at its start: files by their path, packages by their name. */
async function loadedBy(path: string, seen = new Map<string, string>()): Promise<Map<string, string>> {
  if (seen.has(path)) return seen;
  const text = await readFile(path, 'utf8');
  seen.set(path, text);
  for (const [, imported = ''] of text.matchAll(IMPORT)) {
    if (BARE.test(imported)) seen.set(imported, '');
    else await loadedBy(resolve(path, '..', imported), seen);
  }
  return seen;
}

t.test('a program loads few files at its start', async (t) => {
  const loaded = await loadedBy(MAIN);
  const files = [...loaded.keys()].filter((name) => !BARE.test(name));
  t.ok(files.length <= FILES_MAX, `${files.length} files`);
  t.notOk(loaded.has('mongodb'), 'packages are part of them');
  t.ok(loaded.has('@node-rs/argon2'), 'those with native libraries are not');
});

t.test('what few installations need is loaded at its first use, from its package', async (t) => {
  const atStart = [...(await loadedBy(MAIN)).values()].join('');
  const chunks = (await readdir(CHUNKS)).filter((name) => name.endsWith('.js'));
  const all = (
    await Promise.all([MAIN, ...chunks.map((name) => join(CHUNKS, name))].map((path) => readFile(path, 'utf8')))
  ).join('');
  // In the bundle, a package in CommonJS would have no named exports.
  for (const name of ['stripe', 'nodemailer', '@simplewebauthn/server', '@zxcvbn-ts/core', 'qrcode'])
    t.ok(all.includes(`import("${name}")`), name);
  for (const code of ['api.stripe.com', 'oauth4webapi', 'SMTPConnection', 'generateRegistrationOptions'])
    t.notOk(atStart.includes(code), `without the code of ${code}`);
});

t.test('a stack trace of a bundle names lines of TypeScript', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'picket-bundle-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const file = join(folder, 'not-a-folder');
  await writeFile(file, '');
  const child = builtProcess(
    'control-plane/main.js',
    [],
    { PICKET_MONGODB_URI: 'mongodb://127.0.0.1:9/none', PICKET_DATA_DIR: file },
    CONTROL_PLANE_NODE_FLAGS,
  );
  let output = '';
  child.stderr?.on('data', (chunk) => (output += chunk));
  await new Promise((ended) => child.once('close', ended));
  t.match(output, /openFoundation \(.*control-plane\/foundation\.ts:\d+:\d+\)/);
});
