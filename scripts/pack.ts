import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build } from 'esbuild';

/** The minimum version of `engines` in package.json. */
export const TARGET = 'node20.19';
/** Defines `require` for CommonJS modules in a bundle of ES modules, which have none. */
export const REQUIRE = `import { createRequire as picketCreateRequire } from 'node:module';
const require = picketCreateRequire(import.meta.url);
`;

/** A package that was written. */
export interface Packed {
  path: string;
  /** Hexadecimal. */
  sha256: string;
}

export function readManifest(root: string): { version: string; license: string } {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
}

/** Bundles all modules of a program into one file. */
export async function bundle(root: string, entry: string, outfile: string, options: BuildOptions): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    target: TARGET,
    legalComments: 'eof',
    logLevel: 'warning',
    ...options,
  });
}

/**
 * Packs the files that `fill` creates, and the licence, as `<outDir>/<packageName>`. The same files give the same bytes, so
 * that all control planes of one build serve the same SHA-256.
 */
export async function pack(options: {
  root: string;
  outDir: string;
  /** Ends with `.tar.gz`; the folder in the archive has the same name without it. */
  packageName: string;
  /** 1 to 9. */
  gzipLevel: number;
  fill(folder: string): Promise<void>;
}): Promise<Packed> {
  const { root, outDir, packageName } = options;
  const name = packageName.replace(/\.tar\.gz$/, '');
  return withWorkFolder(async (work) => {
    const folder = join(work, name);
    mkdirSync(folder);
    if (existsSync(join(root, 'LICENSE'))) cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
    await options.fill(folder);
    const packed = gzipSync(tar(work, name), { level: options.gzipLevel });
    const sha256 = createHash('sha256').update(packed).digest('hex');
    mkdirSync(outDir, { recursive: true });
    const path = join(outDir, packageName);
    // A rename is atomic: a control plane may be serving the previous package.
    const unfinished = `${path}.${process.pid}`;
    writeFileSync(unfinished, packed);
    renameSync(unfinished, path);
    writeFileSync(`${path}.sha256`, `${sha256}  ${packageName}\n`);
    return { path, sha256 };
  });
}

async function withWorkFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const work = mkdtempSync(join(tmpdir(), 'picket-package-'));
  try {
    return await use(work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const TAR_BYTES_MAX = 512 * 1_048_576;

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
