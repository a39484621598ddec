import { Worker } from 'node:worker_threads';
import type { Clock } from '../../kernel/clock.js';
import { AppError } from '../errors.js';

/** A file of a mebibyte takes a second; what takes longer was made to. */
const READ_MS_MAX = 15_000;
const THREAD_HEAP_MIB_MAX = 256;

type Outcome = { value: unknown } | { problem: string };

/**
 * Reads YAML in a thread of its own, bounded in time and memory: a hostile text keeps the parser busy for minutes,
 * and even a sound one would hold up results and votes. Throws 422 that says what is wrong.
 */
export async function readYamlFile(content: string, clock: Clock): Promise<unknown> {
  const worker = new Worker(threadSource(), {
    eval: true,
    workerData: { content, library: import.meta.resolve('yaml') },
    resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MIB_MAX },
  });
  const outcome = await new Promise<Outcome>((resolve) => {
    const timer = clock.after(READ_MS_MAX, () => resolve({ problem: 'it takes too long to read' }));
    worker.once('message', resolve);
    // Memory used up, or a stack too deep: either way the text is at fault.
    worker.once('error', () => resolve({ problem: 'it is nested too deep or grows too large' }));
    worker.once('exit', () => timer.cancel());
  });
  await worker.terminate();
  if ('value' in outcome) return outcome.value;
  throw new AppError('validation_failed', `The body is not valid YAML: ${outcome.problem}.`, {
    errors: [{ path: '', message: outcome.problem }],
  });
}

/** The thread's program is made of `read`, so that it needs no file of its own that a build could lose. */
function threadSource(): string {
  return `const { parentPort, workerData } = require('node:worker_threads');
import(workerData.library).then((yaml) => parentPort.postMessage((${read})(yaml, workerData.content)));`;
}

/**
 * YAML 1.2, so JSON too, without tags of its own. Runs in the thread, where nothing of this file exists: it uses
 * its arguments only.
 */
function read(yaml: typeof import('yaml'), content: string): Outcome {
  // Keys are compared below, at one look-up each: the library compares each with each.
  const document = yaml.parseDocument(content, { uniqueKeys: false, version: '1.2' });
  const [wrong] = [...document.errors, ...document.warnings];
  if (wrong !== undefined)
    return { problem: wrong.message.split('\n', 1)[0]?.replace(/:$/, '') ?? 'it cannot be read' };
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
  if (repeated !== null) return { problem: `the member ${repeated} stands twice in one place` };
  try {
    // More aliases could grow a small file to any size.
    return { value: document.toJS({ maxAliasCount: 100 }) };
  } catch {
    // Too many aliases, or one without an anchor.
    return { problem: 'its aliases cannot be resolved' };
  }
}
