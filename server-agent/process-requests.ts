import type { Logger } from '../kernel/logger.js';
import type { ProcessSample } from '../proto/generated/picket/link/v1/ProcessSample.js';

/** Answers requests for the top processes. */
export interface ProcessRequests {
  request(nonce: number): void;
}

export interface ProcessRequestsNeeds {
  sample(): Promise<Omit<ProcessSample, 'nonce'>>;
  answer(sample: ProcessSample): void;
  logger: Logger;
}

/** Requests that wait for the same answer. Further ones are ignored: no real reader sends that many at once. */
const WAITING_MAX = 100;

/** Requests that arrive while a sample is taken share that sample, so many requests cost as little as one. */
export function createProcessRequests(needs: ProcessRequestsNeeds): ProcessRequests {
  let waiting: number[] = [];

  async function answerAll(): Promise<void> {
    try {
      const sample = await needs.sample();
      for (const nonce of waiting) needs.answer({ ...sample, nonce });
    } finally {
      waiting = [];
    }
  }

  return {
    request(nonce) {
      if (waiting.length >= WAITING_MAX) return;
      waiting.push(nonce);
      if (waiting.length > 1) return;
      answerAll().catch((error) =>
        needs.logger.error({ err: error }, 'failed to read the processes, dropping the requests for them'),
      );
    },
  };
}
