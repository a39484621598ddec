import { execFile } from 'node:child_process';
import { isSea } from 'node:sea';
import type { Logger } from '../kernel/logger.js';
import { DETAILS_ARGUMENT } from './config.js';
import { basicDetails, parseDetails, type ServerDetails } from './details.js';

const TIMEOUT_MS = 20_000;
const OUTPUT_BYTES_MAX = 64 * 1024;

/**
 * Resolves to the details of this server, read by a child process that runs this same program. If the child fails, it
 * resolves to the basic details. The library and the programs that read them need memory. A child returns that memory
 * when it exits; this process, which runs for months, would keep it.
 */
export function readDetailsInChild(logger: Logger): Promise<ServerDetails> {
  // A single executable is the program itself. Otherwise Node runs a script.
  const script = isSea() ? [] : [...process.execArgv, process.argv[1] ?? ''];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...script, DETAILS_ARGUMENT],
      { timeout: TIMEOUT_MS, killSignal: 'SIGKILL', maxBuffer: OUTPUT_BYTES_MAX },
      (error, stdout) => {
        const details = error === null ? parseDetails(stdout) : null;
        if (details === null) {
          logger.warn({ err: error }, 'failed to read the details of this server, sending only the basic ones');
        }
        resolve(details ?? basicDetails());
      },
    );
  });
}
