import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';
import { builtProcess } from '../../helpers/processes/control-plane.js';

const EXIT_CONFIG = 78;
const KEY = '0123456789abcdef'.repeat(4);

/** Starts a control plane whose key file has this content. */
async function startWith(dataDir: string, content: string) {
  const keys = join(dataDir, 'keys');
  await mkdir(keys, { recursive: true });
  await writeFile(join(keys, 'secret.key'), content, { mode: 0o600 });
  const env = { PICKET_MONGODB_URI: 'mongodb://127.0.0.1:1/picket', PICKET_DATA_DIR: dataDir };
  const child = builtProcess('control-plane/main.js', [], env);
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const printed = child.stderr === null ? '' : await text(child.stderr);
  return {
    code: await exit,
    printed,
    files: await readdir(keys),
    left: await readFile(join(keys, 'secret.key'), 'utf8'),
  };
}

for (const [what, content, says] of [
  ['empty', '', 'is empty'],
  ['cut off', KEY.slice(0, 20), 'has 20 characters'],
  ['full of zero bytes', '\0'.repeat(65), 'has 65 characters'],
] as const) {
  t.test(`a key file that is ${what} stops the start with one line, and stays as it is`, async (t) => {
    const dataDir = temporaryFolder(t);
    const { code, printed, files, left } = await startWith(dataDir, content);
    t.equal(code, EXIT_CONFIG, printed);
    t.match(
      printed,
      new RegExp(`^picket: PICKET_DATA_DIR has an invalid key: \\S+secret\\.key ${says}, .*backup.*\\n$`),
    );
    t.same([files, left], [['secret.key'], content], 'no other key is written');
  });
}

t.test('a key that cannot be read stops the start too', async (t) => {
  const dataDir = temporaryFolder(t);
  await mkdir(join(dataDir, 'keys', 'secret.key'), { recursive: true });
  const env = { PICKET_MONGODB_URI: 'mongodb://127.0.0.1:1/picket', PICKET_DATA_DIR: dataDir };
  const child = builtProcess('control-plane/main.js', [], env);
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const printed = child.stderr === null ? '' : await text(child.stderr);
  t.equal(await exit, EXIT_CONFIG, printed);
  t.match(printed, /^picket: PICKET_DATA_DIR has a key that cannot be read: \S+secret\.key: EISDIR\n$/);
});
