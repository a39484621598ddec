import type { Logger } from '../kernel/logger.js';
import type { ProcessSample } from '../proto/generated/picket/link/v1/ProcessSample.js';

/** Answers who asks for the busiest processes. */
export interface ProcessAnswers {
  ask(nonce: number): void;
}

/** Questions that wait for the same answer; more at once is nobody who reads it. */
const WAITING_MAX = 100;

/** Whoever asks while a sample is taken gets that one: many questions cost no more than one. */
export function createProcessAnswers(options: {
  sample(): Promise<Omit<ProcessSample, 'nonce'>>;
  answer(sample: ProcessSample): void;
  logger: Logger;
}): ProcessAnswers {
  let waiting: number[] = [];

  async function take(): Promise<void> {
    try {
      const sample = await options.sample();
      for (const nonce of waiting) options.answer({ ...sample, nonce });
    } finally {
      waiting = [];
    }
  }

  return {
    ask(nonce) {
      if (waiting.length >= WAITING_MAX) return;
      waiting.push(nonce);
      if (waiting.length > 1) return;
      take().catch((error) => options.logger.error({ err: error }, 'the processes cannot be read'));
    },
  };
}
