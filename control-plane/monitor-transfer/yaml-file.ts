import { Worker } from 'node:worker_threads';
import type { Clock } from '../../kernel/clock.js';
import { AppError } from '../errors.js';

/** A file of 1 MiB takes one second. A file that takes longer than this is malicious. */
const READ_MS_MAX = 15_000;
const THREAD_HEAP_MIB_MAX = 256;

type Outcome = { value: unknown } | { problem: string };

/**
 * Parses YAML in a separate thread with limited time and memory: a malicious file keeps the parser busy for minutes,
 * and even a normal one would delay results and votes. Throws 422 with the reason.
 */
export async function readYamlFile(content: string, clock: Clock): Promise<unknown> {
  const worker = new Worker(threadSource(), {
    eval: true,
    workerData: { content, library: import.meta.resolve('yaml') },
    resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MIB_MAX },
  });
  const outcome = await new Promise<Outcome>((resolve) => {
    const timer = clock.after(READ_MS_MAX, () => resolve({ problem: 'it takes too long to parse' }));
    worker.once('message', resolve);
    // The thread is out of memory or its stack is too deep. The content is the cause in both cases.
    worker.once('error', () => resolve({ problem: 'it is nested too deep or grows too large' }));
    worker.once('exit', () => timer.cancel());
  });
  await worker.terminate();
  if ('value' in outcome) return outcome.value;
  throw new AppError('validation_failed', `The body is not valid YAML: ${outcome.problem}.`, {
    errors: [{ path: '', message: outcome.problem }],
  });
}

/** Returns the program of the thread. It contains the source of `read`, so that the build needs no extra file. */
function threadSource(): string {
  return `const { parentPort, workerData } = require('node:worker_threads');
import(workerData.library).then((yaml) => parentPort.postMessage((${read})(yaml, workerData.content)));`;
}

/**
 * Parses YAML 1.2, which includes JSON. It runs in the thread, where nothing else of this file exists, so it uses only
 * its arguments.
 */
function read(yaml: typeof import('yaml'), content: string): Outcome {
  // The keys are compared below with one look-up each. The library would compare every pair of keys.
  const document = yaml.parseDocument(content, { uniqueKeys: false, version: '1.2' });
  const [wrong] = [...document.errors, ...document.warnings];
  if (wrong !== undefined)
    return { problem: wrong.message.split('\n', 1)[0]?.replace(/:$/, '') ?? 'it cannot be parsed' };
  let repeated: string | null = null;
  yaml.visit(document, {
    Map(_key, map) {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        const name = yaml.isScalar(key) ? key.value : key;
        if (seen.has(name)) repeated = String(name);
        seen.add(name);
      }
    },
  });
  if (repeated !== null) return { problem: `the key ${repeated} appears twice in the same object` };
  try {
    // Without this limit, aliases could expand a small file to any size.
    return { value: document.toJS({ maxAliasCount: 100 }) };
  } catch {
    // There are too many aliases, or an alias without an anchor.
    return { problem: 'its aliases cannot be resolved' };
  }
}
