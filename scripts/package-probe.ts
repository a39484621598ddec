import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** koffi is loaded from beside the bundle: its native part is a file of its own. */
const KOFFI_FILES = [
  'package.json',
  'LICENSE.txt',
  'index.js',
  'index.cjs',
  'src/koffi/index.js',
  'src/koffi/index.cjs',
];
const NATIVE = /^koffi-linux-/;
/** CommonJS inside the bundle asks for modules by `require`, which ES modules do not have. */
const REQUIRE = `import { createRequire as picketCreateRequire } from 'node:module';
const require = picketCreateRequire(import.meta.url);
`;

/**
 * Packs the probe as one file of JavaScript with what it reads at run time, for Node.js and nothing else. The same
 * sources give the same bytes, so that all control planes of one version name the same SHA-256.
 */
export async function packageProbe(root: string, outDir: string): Promise<{ path: string; sha256: string }> {
  const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const name = `picket-probe-${version}`;
  const work = mkdtempSync(join(tmpdir(), 'picket-package-'));
  try {
    const folder = join(work, name);
    await bundle(root, join(folder, 'probe', 'picket-probe.mjs'));
    cpSync(join(root, 'proto', 'link.proto'), join(folder, 'probe', 'link.proto'));
    copyKoffi(join(root, 'node_modules'), join(folder, 'node_modules'));
    if (existsSync(join(root, 'LICENSE'))) cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
    const manifest = { name: 'picket-probe', version, license, type: 'module', private: true };
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    const packed = gzipSync(tar(work, name), { level: 9 });
    const sha256 = createHash('sha256').update(packed).digest('hex');
    mkdirSync(outDir, { recursive: true });
    const path = join(outDir, `${name}.tar.gz`);
    // Put in place whole: a control plane may be serving the one before.
    writeFileSync(`${path}.new`, packed);
    renameSync(`${path}.new`, path);
    writeFileSync(`${path}.sha256`, `${sha256}  ${name}.tar.gz\n`);
    return { path, sha256 };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function bundle(root: string, outfile: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: ['probe/main.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    external: ['koffi'],
    banner: { js: REQUIRE },
    legalComments: 'eof',
    logLevel: 'warning',
  });
}

/** The native part for every kind of Linux that is installed here: glibc and musl of at least this processor. */
function copyKoffi(from: string, to: string): void {
  for (const file of KOFFI_FILES) cpSync(join(from, 'koffi', file), join(to, 'koffi', file));
  const natives = readdirSync(join(from, '@koromix')).filter((name) => NATIVE.test(name));
  if (natives.length === 0) throw new Error('koffi has no native part for Linux here: run scripts/install');
  for (const native of natives)
    cpSync(join(from, '@koromix', native), join(to, '@koromix', native), { recursive: true });
}

const TAR_BYTES_MAX = 256 * 1_048_576;

function tar(folder: string, name: string): Buffer {
  const reproducible = [
    '--sort=name',
    '--format=gnu',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mtime=@0',
    '--mode=u+rwX,go=rX',
  ];
  return execFileSync('tar', [...reproducible, '-C', folder, '-cf', '-', name], { maxBuffer: TAR_BYTES_MAX });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { path, sha256 } = await packageProbe(process.cwd(), join(process.cwd(), 'build', 'packages'));
  process.stdout.write(`${sha256}  ${path}\n`);
}
