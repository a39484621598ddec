import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../errors.js';

/** Returns the file name of the probe as JavaScript, built by `scripts/package-probe`. */
export function probePackageName(version: string): string {
  return `picket-probe-${version}.tar.gz`;
}

/** Returns the file name of the agent as JavaScript, built by `scripts/package-agent`. */
export function agentPackageName(version: string): string {
  return `picket-agent-${version}.tar.gz`;
}

/** The WordPress plugin, built by `scripts/package-wordpress`. Its name has no version: people install it by hand. */
export const WORDPRESS_PLUGIN_NAME = 'picket-bridge.zip';

/**
 * Returns the file name of the agent with a bundled Node.js, for glibc. `architecture` is a key of
 * `EXECUTABLE_ARCHITECTURES`.
 */
export function agentExecutableName(version: string, architecture: string): string {
  return `picket-agent-${version}-linux-${architecture}.tar.gz`;
}

/**
 * The names of `uname -m` by Node's name of the architecture. A build makes the executable of its own architecture.
 * Others are served too if their files are in the same folder.
 */
export const EXECUTABLE_ARCHITECTURES: Readonly<Record<string, readonly string[]>> = {
  x64: ['x86_64', 'amd64'],
  arm64: ['aarch64', 'arm64'],
};

/** A file that install scripts download, as it is on disk now. */
export interface PackageFile {
  name: string;
  path: string;
  /** Throws AppError `unavailable` when it was not built. */
  facts(): Promise<{ size: number; sha256: string }>;
}

export function openPackageFile(packagesDir: string, name: string): PackageFile {
  const path = join(packagesDir, name);
  let known: { state: string; sha256: string } | null = null;
  return {
    name,
    path,
    async facts() {
      const { size, mtimeMs } = await stat(path).catch((cause: unknown) => {
        throw new AppError('unavailable', `The package ${name} has not been built. Run scripts/build.`, { cause });
      });
      // The hash is computed again only when the file has changed.
      const state = `${size}/${mtimeMs}`;
      if (known?.state !== state) {
        const hash = createHash('sha256');
        await pipeline(createReadStream(path), hash);
        known = { state, sha256: hash.digest('hex') };
      }
      return { size, sha256: known.sha256 };
    },
  };
}
