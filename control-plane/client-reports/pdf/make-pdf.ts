import { fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../../kernel/clock.js';
import type { ReportContent } from '../content/content.js';
import type { MadePdf } from './pdf-process.js';

/** A report of 1,000 monitors needs less than half of it. */
const HEAP_MIB_MAX = 256;
/** Against a hanging process. A report takes seconds, and more while everything else goes before it. */
const RUN_MS_MAX = 300_000;
/** As `nice` means it: on a busy core, it gets a third of what the control plane gets. With 10, it would get a tenth. */
const NICENESS = 5;
const STDERR_CHARS_MAX = 2_000;

/** Makes the PDF of a report. Rejects with the reason of `signal`, and when the process fails. */
export type MakePdf = (report: ReportContent, signal: AbortSignal) => Promise<MadePdf>;

/**
 * Returns a function that makes each PDF in a process of its own, because the layout of a report keeps a thread busy for
 * seconds, and results and votes must not wait for it.
 */
export function createMakePdf({ clock }: { clock: Clock }): MakePdf {
  return async (report, signal) => {
    signal.throwIfAborted();
    const program = fork(fileURLToPath(import.meta.resolve('./pdf-process.js')), {
      execArgv: [
        ...process.execArgv.filter((flag) => !/^--(enable-source-maps|max-)/.test(flag)),
        `--max-old-space-size=${HEAP_MIB_MAX}`,
      ],
      // It needs no setting, and must not see those with passwords.
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    giveWay(program.pid);
    let printed = '';
    program.stderr?.on('data', (chunk) => {
      printed = `${printed}${chunk}`.slice(-STDERR_CHARS_MAX);
    });
    let abort = () => {};
    const guard = clock.after(RUN_MS_MAX, () => program.kill('SIGKILL'));
    try {
      return await new Promise<MadePdf>((resolve, reject) => {
        abort = () => reject(signal.reason);
        signal.addEventListener('abort', abort);
        program.once('message', (made: MadePdf) => resolve(made));
        program.once('error', reject);
        program.once('close', (code, killed) =>
          reject(new Error(`the process that makes a report ended without it (${killed ?? code}): ${printed}`)),
        );
        program.send(report, (error) => (error === null ? undefined : reject(error)));
      });
    } finally {
      guard.cancel();
      signal.removeEventListener('abort', abort);
      program.kill('SIGKILL');
    }
  };
}

/** Lets every other process go first: a report can wait, results and pages cannot. */
function giveWay(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, NICENESS);
  } catch {
    // It has just ended, which is reported elsewhere, or the system forbids it.
  }
}
