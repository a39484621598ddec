import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, deflateRawSync } from 'node:zlib';
import { WORDPRESS_PLUGIN_NAME } from '../control-plane/install/packages.js';
import { readManifest } from './pack.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = 'wp-plugin-bridge';
/** WordPress names the folder of a plugin as the archive does. */
const FOLDER = 'picket-bridge';
/** 1 January 1980, the first day that the format knows, so that the same files give the same bytes. */
const DOS_DATE = 0x0021;
const UTF8_NAMES = 0x0800;
const DEFLATE = 8;
const VERSION_NEEDED = 20;
/** A regular file with mode 0644, as made on Unix. */
const UNIX_FILE = 0o100_644 * 0x1_0000;
const MADE_ON_UNIX = 0x0300 | VERSION_NEEDED;

interface Entry {
  name: Buffer;
  head: Buffer;
  packed: Buffer;
}

/** Packs the WordPress plugin as the control plane serves it. The same files give the same bytes. */
function packageWordpress(): void {
  const { version } = readManifest(ROOT);
  const main = readFileSync(join(ROOT, SOURCE, 'picket-bridge.php'), 'utf8');
  for (const line of [` * Version: ${version}\n`, `define( 'PICKET_BRIDGE_VERSION', '${version}' );\n`]) {
    if (!main.includes(line)) throw new Error(`${SOURCE}/picket-bridge.php is not of version ${version}`);
  }
  const files = readdirSync(join(ROOT, SOURCE), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(ROOT, SOURCE).length + 1))
    .sort();
  const entries = [
    ...files.map((path) => entryOf(`${FOLDER}/${path}`, readFileSync(join(ROOT, SOURCE, path)))),
    entryOf(`${FOLDER}/LICENSE`, readFileSync(join(ROOT, 'LICENSE'))),
  ];
  const path = join(ROOT, 'build/packages', WORDPRESS_PLUGIN_NAME);
  mkdirSync(dirname(path), { recursive: true });
  const zip = zipOf(entries);
  // A rename is atomic: a control plane may be serving the previous package.
  writeFileSync(`${path}.${process.pid}`, zip);
  renameSync(`${path}.${process.pid}`, path);
  writeFileSync(`${path}.sha256`, `${createHash('sha256').update(zip).digest('hex')}  ${WORDPRESS_PLUGIN_NAME}\n`);
}

function entryOf(name: string, content: Buffer): Entry {
  const packed = deflateRawSync(content, { level: 9 });
  const head = Buffer.alloc(26);
  const fields = [VERSION_NEEDED, UTF8_NAMES, DEFLATE, 0, DOS_DATE];
  for (const [index, value] of fields.entries()) head.writeUInt16LE(value, 2 * index);
  head.writeUInt32LE(crc32(content), 10);
  head.writeUInt32LE(packed.length, 14);
  head.writeUInt32LE(content.length, 18);
  head.writeUInt16LE(Buffer.byteLength(name), 22);
  return { name: Buffer.from(name), head, packed };
}

/** The format of PKWARE's APPNOTE.TXT: the files, then the directory of all of them. */
function zipOf(entries: readonly Entry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, head, packed } of entries) {
    const file = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), head, name, packed]);
    const made = Buffer.alloc(2);
    made.writeUInt16LE(MADE_ON_UNIX);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(UNIX_FILE, 6);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), made, head, rest, name]));
    files.push(file);
    offset += file.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, listed, end]);
}

packageWordpress();
