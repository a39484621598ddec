import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../errors.js';
import type { Mount } from '../http/mount.js';
import { probeInstallScript } from './install-script.js';

/** The line that makes a machine a probe. */
export function installCommand(publicUrl: string, token: string): string {
  return `curl -fsSL ${publicUrl}/install/probe.sh | sudo sh -s -- --token ${token}`;
}

/** As `scripts/package-probe` names it. */
export function probePackageName(version: string): string {
  return `picket-probe-${version}.tar.gz`;
}

/** `/install/probe.sh` and the package that it fetches, from `packagesDir`. 503 where no package was built. */
export function createInstallMounts(facts: { publicUrl: string; version: string; packagesDir: string }): Mount[] {
  const packageName = probePackageName(facts.version);
  const path = join(facts.packagesDir, packageName);
  const hash = createFileHash(path);
  return [
    {
      path: '/install/probe.sh',
      async handle(ctx) {
        const sha256 = await hash();
        ctx.type = 'text/x-shellscript; charset=utf-8';
        ctx.set('Cache-Control', 'no-cache');
        ctx.body = probeInstallScript({ publicUrl: facts.publicUrl, version: facts.version, sha256, packageName });
      },
    },
    {
      path: `/install/${packageName}`,
      async handle(ctx) {
        const { size } = await packageFile(path);
        ctx.type = 'application/gzip';
        ctx.length = size;
        ctx.body = createReadStream(path);
      },
    },
  ];
}

async function packageFile(path: string): Promise<{ size: number; mtimeMs: number }> {
  try {
    return await stat(path);
  } catch (cause) {
    throw new AppError('unavailable', 'The probe’s package has not been built here: run scripts/build.', { cause });
  }
}

/** Reads the file again only when it is another one. */
function createFileHash(path: string): () => Promise<string> {
  let known: { mark: string; hash: string } | null = null;
  return async () => {
    const { size, mtimeMs } = await packageFile(path);
    const mark = `${size}/${mtimeMs}`;
    if (known?.mark === mark) return known.hash;
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    known = { mark, hash: hash.digest('hex') };
    return known.hash;
  };
}
