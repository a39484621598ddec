import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../kernel/clock.js';
import { AppError } from '../errors.js';
import type { YamlOutcome } from './yaml-process.js';

/** A file of 1 MiB takes about two seconds. A file that takes longer than this is malicious. */
const READ_MS_MAX = 15_000;
/** Files that are accepted at the same time; more are refused. One is parsed, the other waits for it. */
const FILES_MAX = 2;
const RETRY_AFTER_S = 5;
/** A file of 1 MiB with 2,000 monitors needs less than 58 MiB. More would be too much together with the control plane. */
const HEAP_MIB_MAX = 60;
const YOUNG_HEAP_MIB_MAX = 2;

/** Parses a text in UTF-8 as YAML. Throws 422 with the reason, and 429 while two other files are being read. */
export type YamlReader = (text: Buffer) => Promise<unknown>;

/**
 * Returns a reader that parses in a process of its own with limited time and memory: a malicious file keeps the parser
 * busy for minutes, and even a normal one would delay results and votes. There is one such process at a time, because it
 * may take almost as much memory as the control plane.
 */
export function createYamlReader({ clock }: { clock: Clock }): YamlReader {
  let accepted = 0;
  let last: Promise<void> = Promise.resolve();

  async function parseNext(text: Buffer, previous: Promise<void>): Promise<YamlOutcome> {
    await previous;
    return parseInProcess(text, clock);
  }

  return async (text) => {
    if (accepted >= FILES_MAX) {
      throw new AppError('rate_limited', `Picket reads ${FILES_MAX} YAML files at a time. Retry in a few seconds.`, {
        headers: { 'Retry-After': String(RETRY_AFTER_S) },
      });
    }
    accepted += 1;
    const parsing = parseNext(text, last);
    last = parsing.then(
      () => undefined,
      () => undefined,
    );
    try {
      return valueIn(await parsing);
    } finally {
      accepted -= 1;
    }
  };
}

function valueIn(outcome: YamlOutcome): unknown {
  if ('value' in outcome) return outcome.value;
  throw new AppError('validation_failed', `The body is not valid YAML: ${outcome.problem}.`, {
    errors: [{ path: '', message: outcome.problem }],
  });
}

/** Rejects only when the process cannot be started. */
async function parseInProcess(text: Buffer, clock: Clock): Promise<YamlOutcome> {
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
  try {
    return await new Promise<YamlOutcome>((resolve, reject) => {
      const timer = clock.after(READ_MS_MAX, () => resolve({ problem: 'it takes too long to parse' }));
      program.once('message', (outcome: YamlOutcome) => resolve(outcome));
      program.once('error', reject);
      // Without an answer it ran out of memory or stack. The content is the cause in both cases.
      program.once('exit', () => {
        timer.cancel();
        resolve({ problem: 'it is nested too deep or grows too large' });
      });
      program.send(text, (error) => (error === null ? undefined : reject(error)));
    });
  } finally {
    program.kill('SIGKILL');
  }
}
