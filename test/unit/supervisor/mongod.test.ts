import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateSync } from 'node:zlib';
import { BSON } from 'mongodb';
import { compress } from 'snappyjs';
import t from 'tap';
import { systemRandom } from '../../../kernel/random.js';
import { cacheDirectory } from '../../../supervisor/config.js';
import { findMongod } from '../../../supervisor/mongod/binary.js';
import { ARCHIVES, downloadMongod } from '../../../supervisor/mongod/download.js';
import { prepareMongodHome } from '../../../supervisor/mongod/home.js';
import { spawnMongod } from '../../../supervisor/mongod/mongod.js';
import { checkMongod } from '../../../supervisor/mongod/version.js';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';
import { waitFor } from '../../helpers/wait.js';

const run = promisify(execFile);

/** The numbers of MongoDB's wire protocol. */
const OP_COMPRESSED = 2012;
const OP_MSG = 2013;
const COMPRESSOR_IDS = { snappy: 1, zlib: 2 };

/** Returns a `hello` as one compressed message of the wire protocol. */
function compressedHello(compressor: keyof typeof COMPRESSOR_IDS): Buffer {
  const body = Buffer.concat([Buffer.alloc(5), BSON.serialize({ hello: 1, $db: 'admin' })]);
  const packed = compressor === 'zlib' ? deflateSync(body) : Buffer.from(compress(body));
  const header = Buffer.alloc(25);
  header.writeInt32LE(header.length + packed.length, 0);
  header.writeInt32LE(1, 4);
  header.writeInt32LE(OP_COMPRESSED, 12);
  header.writeInt32LE(OP_MSG, 16);
  header.writeInt32LE(body.length, 20);
  header.writeUInt8(COMPRESSOR_IDS[compressor], 24);
  return Buffer.concat([header, packed]);
}

/** Resolves to the first bytes of the answer; null if the server closes the connection without one. */
async function answer(port: number, message: Buffer): Promise<Buffer | null> {
  const socket: Socket = connect(port, '127.0.0.1');
  try {
    return await new Promise((resolve, reject) => {
      socket.once('error', (error: Error & { code?: string }) => {
        if (error.code === 'ECONNRESET') resolve(null);
        else reject(error);
      });
      socket.once('data', resolve);
      socket.once('end', () => resolve(null));
      socket.once('connect', () => socket.write(message));
    });
  } finally {
    socket.destroy();
  }
}

t.test('the embedded mongod refuses a zlib-compressed message of a client without a password', async (t) => {
  const folder = temporaryFolder(t);
  const cacheDir = cacheDirectory(process.env);
  const binary = await findMongod({ path: process.env['PATH'] ?? '', cacheDir, say: () => {} });
  const home = await prepareMongodHome(folder, systemRandom);
  const mongod = spawnMongod(binary, home);
  const gone = new Promise((resolve) => mongod.once('exit', resolve));
  t.teardown(async () => {
    mongod.kill('SIGKILL');
    await gone;
  });
  const accepted = await waitFor('an answer', 30_000, () => answer(home.port, compressedHello('snappy')));
  t.ok(accepted.length > 16, 'the same message is answered when it is compressed with snappy');
  t.equal(await answer(home.port, compressedHello('zlib')), null, 'the connection is closed');
});

t.test('a version before the fix of CVE-2025-14847 is used, with one warning', async (t) => {
  const folder = temporaryFolder(t);
  const warningOf = async (version: string) => {
    await mkdir(join(folder, version), { recursive: true });
    const binary = join(folder, version, 'mongod');
    await writeFile(binary, `#!/bin/sh\necho 'db version v${version}'\n`);
    await chmod(binary, 0o755);
    const check = await checkMongod(binary);
    if ('problem' in check) throw new Error(check.problem);
    return check.warning;
  };
  for (const version of ['6.0.27', '6.0.30', '7.0.28', '7.0.37', '8.0.17', '8.2.3', '8.3.0', '9.0.1']) {
    t.equal(await warningOf(version), null, version);
  }
  for (const [version, fixed] of [
    ['6.0.5', '6.0.27 or later'],
    ['7.0.24', '7.0.28 or later'],
    ['8.0.16', '8.0.17 or later'],
    ['8.2.2', '8.2.3 or later'],
    ['7.3.4', 'a supported series'],
  ] as const) {
    t.match(await warningOf(version), new RegExp(`^MongoDB ${version} .*CVE-2025-14847.*update to ${fixed}$`));
  }
  const lines: string[] = [];
  const say = (line: string) => lines.push(line);
  t.equal(await findMongod({ path: join(folder, '6.0.5'), cacheDir: folder, say }), join(folder, '6.0.5', 'mongod'));
  t.match(lines, [/^warning: .*\/6\.0\.5\/mongod: MongoDB 6\.0\.5 /]);
  for (const archive of Object.values(ARCHIVES)) {
    const version = /-(\d+\.\d+\.\d+)\.tgz$/.exec(archive.file)?.[1] ?? '';
    t.equal(await warningOf(version), null, `the download of ${version} has the fix`);
    t.match(archive.sha256, /^[0-9a-f]{64}$/);
  }
});

t.test('a downloaded archive is unpacked only if its SHA-256 is the expected one', async (t) => {
  const folder = temporaryFolder(t);
  const name = 'mongodb-linux-test-7.0.37';
  await mkdir(join(folder, name, 'bin'), { recursive: true });
  await writeFile(join(folder, name, 'bin', 'mongod'), '#!/bin/sh\necho db version v7.0.37\n');
  await run('tar', ['-czf', join(folder, `${name}.tgz`), '-C', folder, name]);
  const bytes = await readFile(join(folder, `${name}.tgz`));
  const server = createServer((request, response) => {
    if (request.url === `/linux/${name}.tgz`) response.end(bytes);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}/linux`;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const target = join(folder, 'mongod');
  const from = (file: string, sum: string) => downloadMongod({ file, sha256: sum }, site, folder, target);

  const wrong = sha256.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
  await t.rejects(from(`${name}.tgz`, wrong), new RegExp(`unexpected SHA-256 ${sha256}`));
  await t.rejects(readFile(target), { code: 'ENOENT' }, 'nothing is unpacked');
  await t.rejects(from('none.tgz', sha256), /none\.tgz returned status 404/);
  await t.rejects(downloadMongod(undefined, site, folder, target), /there is no download for/);
  await from(`${name}.tgz`, sha256);
  t.same(await checkMongod(target), { version: '7.0.37', warning: null });
});
