import { execFile } from 'node:child_process';
import { release } from 'node:os';
import { isSea } from 'node:sea';
import type { Logger } from '../kernel/logger.js';
import { DETAILS_ARGUMENT } from './config.js';
import type { ServerDetails } from './details.js';

const TIMEOUT_MS = 20_000;
const OUTPUT_BYTES_MAX = 64 * 1024;
const NAMES = ['os', 'kernel', 'architecture', 'cpuModel', 'virtualization'] as const;

/**
 * Starts this program once more to find out what it runs on, and resolves with what it says; where it fails, with
 * the little that is known without. What it takes for that (a library, other programs) goes with the child: in this
 * process, which lives for months, it would stay.
 */
export function askDetails(logger: Logger): Promise<ServerDetails> {
  // A single executable is the program; otherwise that is the script that Node was started with.
  const script = isSea() ? [] : [...process.execArgv, process.argv[1] ?? ''];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...script, DETAILS_ARGUMENT],
      { timeout: TIMEOUT_MS, killSignal: 'SIGKILL', maxBuffer: OUTPUT_BYTES_MAX },
      (error, stdout) => {
        const details = error === null ? parseDetails(stdout) : null;
        if (details === null) {
          logger.warn({ err: error }, 'cannot find out the details of this server, most of them are left out');
        }
        resolve(details ?? unknownDetails());
      },
    );
  });
}

/** null for anything but what the child prints. */
export function parseDetails(text: string): ServerDetails | null {
  try {
    const fields: Record<string, unknown> = { ...JSON.parse(text) };
    const details = unknownDetails();
    for (const name of NAMES) {
      const value = fields[name];
      if (typeof value !== 'string') return null;
      details[name] = value;
    }
    return details;
  } catch {
    return null;
  }
}

function unknownDetails(): ServerDetails {
  return { os: process.platform, kernel: release(), architecture: process.arch, cpuModel: '', virtualization: '' };
}
