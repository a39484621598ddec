import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../kernel/clock.js';
import { AppError } from '../errors.js';
import { createWorkLimit, type Work, type WorkLimits } from '../http/limits/work-limit.js';
import type { PlanName } from '../plans/plans.js';
import type { YamlOutcome } from './yaml-process.js';

/** There is one process that parses at a time, because it may take almost as much memory as the control plane. */
const READING: WorkLimits = {
  runningMax: 1,
  runningPerWorkspaceMax: 1,
  runningOfFreeMax: 1,
  // Longer than any file takes, so that whoever is next gets its turn.
  waitMsMax: 12_000,
  // A file of 1 MiB takes about two seconds, and one with the monitors that Free allows a fraction of a second. A file that
  // takes longer than this is malicious.
  runMsMax: { Free: 4_000, Pro: 10_000, Enterprise: 10_000 },
  budgetMs: { Free: 10_000, Pro: 30_000, Enterprise: 60_000 },
};
/** Files that have arrived and are read or wait. Each has up to 1 MiB. */
const FILES_MAX = 8;
/** Of these, of all workspaces on Free, which anybody can make many of. */
const FILES_OF_FREE_MAX = 4;
/** And of one workspace, with those that have not arrived yet: a slow sender keeps only their own workspace waiting. */
const FILES_PER_WORKSPACE_MAX = 2;
const RETRY_AFTER_S = 5;
/** A file of 1 MiB with 2,000 monitors needs less than 40 MiB. More would be too much together with the control plane. */
const HEAP_MIB_MAX = 44;
const YOUNG_HEAP_MIB_MAX = 2;

/**
 * Parses the text in UTF-8 that `receive` resolves to as YAML. Throws 422 with the reason, and 429 when too many other files
 * are read or wait: before the text is received if they do so already, because each refused one would take its memory.
 */
export type YamlReader = (receive: () => Promise<Buffer>, sender: Omit<Work, 'tooLong'>) => Promise<unknown>;

interface File {
  workspaceId: string;
  plan: PlanName;
  hasArrived: boolean;
}

/**
 * Returns a reader that parses in a process of its own with limited time and memory: a malicious file keeps the parser
 * busy for minutes, and even a normal one would delay results and votes.
 */
export function createYamlReader(needs: { clock: Clock }): YamlReader {
  const limit = createWorkLimit(needs, READING, {
    busy,
    spent: 'Reading the YAML files of this workspace has taken',
    advice: 'send smaller files',
  });
  const files = new Set<File>();

  function requirePlace(plan: PlanName): void {
    const arrived = [...files].filter((file) => file.hasArrived);
    const ofFree = arrived.filter((file) => file.plan === 'Free').length;
    if (arrived.length >= FILES_MAX || (plan === 'Free' && ofFree >= FILES_OF_FREE_MAX)) throw busy();
  }

  return async (receive, { workspaceId, plan, gone }) => {
    requirePlace(plan);
    const own = [...files].filter((file) => file.workspaceId === workspaceId).length;
    if (own >= FILES_PER_WORKSPACE_MAX) throw busy();
    const file = { workspaceId, plan, hasArrived: false };
    files.add(file);
    try {
      const text = await receive();
      // Others may have arrived meanwhile.
      requirePlace(plan);
      file.hasArrived = true;
      return valueIn(await limit.run({ workspaceId, plan, gone, tooLong }, (signal) => parseInProcess(text, signal)));
    } finally {
      files.delete(file);
    }
  };
}

function busy(): AppError {
  return new AppError('rate_limited', 'Other YAML files are being read. Try again in a few seconds.', {
    headers: { 'Retry-After': String(RETRY_AFTER_S) },
  });
}

function tooLong(): AppError {
  return refusal('it takes too long to parse');
}

function refusal(problem: string): AppError {
  return new AppError('validation_failed', `The body is not valid YAML: ${problem}.`, {
    errors: [{ path: '', message: problem }],
  });
}

function valueIn(outcome: YamlOutcome): unknown {
  if ('value' in outcome) return outcome.value;
  throw refusal(outcome.problem);
}

/** Rejects when the process cannot be started, and with the reason of `signal`. */
async function parseInProcess(text: Buffer, signal: AbortSignal): Promise<YamlOutcome> {
  const program = fork(fileURLToPath(import.meta.resolve('./yaml-process.js')), {
    execArgv: [
      // Source maps take several MiB.
      ...process.execArgv.filter((flag) => flag !== '--enable-source-maps'),
      `--max-old-space-size=${HEAP_MIB_MAX}`,
      `--max-semi-space-size=${YOUNG_HEAP_MIB_MAX}`,
    ],
    // It needs no setting, and must not see those with passwords.
    env: {},
    serialization: 'advanced',
    // What a process prints when it runs out of memory says nothing about Picket.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let abort = () => {};
  try {
    return await new Promise<YamlOutcome>((resolve, reject) => {
      if (signal.aborted) reject(signal.reason);
      abort = () => reject(signal.reason);
      signal.addEventListener('abort', abort);
      program.once('message', (outcome: YamlOutcome) => resolve(outcome));
      program.once('error', reject);
      // Without an answer it ran out of memory or stack. The content is the cause in both cases.
      program.once('exit', () => resolve({ problem: 'it is nested too deep or grows too large' }));
      program.send(text, (error) => (error === null ? undefined : reject(error)));
    });
  } finally {
    // A signal that is made of others stays in memory as long as it has a listener, and the listener keeps the file.
    signal.removeEventListener('abort', abort);
    program.kill('SIGKILL');
  }
}
