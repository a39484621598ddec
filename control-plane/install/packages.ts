import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../errors.js';

/** The probe as JavaScript, made by `scripts/package-probe`. */
export function probePackageName(version: string): string {
  return `picket-probe-${version}.tar.gz`;
}

/** The agent as JavaScript, made by `scripts/package-agent`. */
export function agentPackageName(version: string): string {
  return `picket-agent-${version}.tar.gz`;
}

/** The agent with a Node.js of its own, for glibc. `architecture` is one of `EXECUTABLE_ARCHITECTURES`. */
export function agentExecutableName(version: string, architecture: string): string {
  return `picket-agent-${version}-linux-${architecture}.tar.gz`;
}

/**
 * By Node's name of each, what `uname -m` calls it. A build makes the executable of its own machine's kind; others
 * are served, too, once they lie beside it.
 */
export const EXECUTABLE_ARCHITECTURES: Readonly<Record<string, readonly string[]>> = {
  x64: ['x86_64', 'amd64'],
  arm64: ['aarch64', 'arm64'],
};

/** A file that install scripts download, as it is on the disk now. */
export interface PackageFile {
  name: string;
  path: string;
  /** Throws AppError `unavailable` when it was not built. */
  facts(): Promise<{ size: number; sha256: string }>;
}

export function openPackageFile(packagesDir: string, name: string): PackageFile {
  const path = join(packagesDir, name);
  let known: { mark: string; sha256: string } | null = null;
  return {
    name,
    path,
    async facts() {
      const { size, mtimeMs } = await stat(path).catch((cause: unknown) => {
        throw new AppError('unavailable', `${name} has not been built here: run scripts/build.`, { cause });
      });
      // It is read again only when it is another one.
      const mark = `${size}/${mtimeMs}`;
      if (known?.mark !== mark) {
        const hash = createHash('sha256');
        await pipeline(createReadStream(path), hash);
        known = { mark, sha256: hash.digest('hex') };
      }
      return { size, sha256: known.sha256 };
    },
  };
}
