import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PAGE_BYTES = 4096;

/** A small file system at `path`, visible only to processes that are started `within` it. */
export interface SmallDisk {
  path: string;
  /** The same folder for this process, which does not see the mount. */
  seenHere: string;
  /** The command that runs another command where the disk is mounted. */
  within: readonly string[];
  /** Fills the free space with another file. */
  fill(): void;
  freeBytes(): number;
  remove(): Promise<void>;
}

/**
 * Mounts a tmpfs in a mount namespace that a waiting process keeps, so that the files outlive the processes that use
 * them and are removed with the test. For an ordinary user it also makes a user namespace.
 */
export async function smallDisk(kib: number): Promise<SmallDisk> {
  const path = mkdtempSync(join(tmpdir(), 'picket-disk-'));
  const isRoot = process.getuid?.() === 0;
  const script = 'mount -t tmpfs -o "size=$1k" picket-test "$0" && echo mounted && exec cat';
  const keeper = spawn(
    'unshare',
    [...(isRoot ? [] : ['--user', '--map-root-user']), '--mount', 'sh', '-c', script, path, String(kib)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  await mounted(keeper);
  const asSeenWithin = `/proc/${keeper.pid}/root${path}`;
  const filling = join(asSeenWithin, 'filling');
  return {
    path,
    seenHere: asSeenWithin,
    within: [
      'nsenter',
      '--target',
      String(keeper.pid),
      ...(isRoot ? [] : ['--user', '--preserve-credentials']),
      '--mount',
    ],
    fill() {
      const fd = openSync(filling, 'a');
      try {
        for (;;) writeSync(fd, Buffer.alloc(PAGE_BYTES));
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      } finally {
        closeSync(fd);
      }
    },
    freeBytes() {
      const { bavail, bsize } = statfsSync(asSeenWithin);
      return bavail * bsize;
    },
    async remove() {
      const gone = new Promise((resolve) => keeper.once('exit', resolve));
      keeper.stdin?.end();
      await gone;
      rmSync(path, { recursive: true, force: true });
    },
  };
}

function mounted(keeper: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    keeper.stdout?.once('data', () => resolve());
    keeper.once('exit', (code) => reject(new Error(`the disk could not be mounted: ${code}`)));
    keeper.once('error', reject);
  });
}
