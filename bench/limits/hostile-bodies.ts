import { AppError } from '../../control-plane/errors.js';
import { isDeeperThan } from '../../control-plane/http/input/strings.js';
import { createRouteValidators } from '../../control-plane/http/input/validate.js';
import { problemOf } from '../../control-plane/http/problem.js';
import { hostileBodies, hostileBodyRoute } from '../../test/helpers/http/hostile-bodies.js';
import type { Limit } from './limit.js';

const RUNS = 5;

/** The slowest of the hostile bodies, each the fastest of five runs. */
export const hostileBody: Limit = {
  name: 'to refuse the worst invalid body of 1 MiB',
  unit: 'ms',
  atMost: 100,
  async measure() {
    const { input } = createRouteValidators()(hostileBodyRoute());
    const refuse = (json: string) => {
      isDeeperThan(json, 32);
      const value: unknown = JSON.parse(json);
      try {
        input('', { kind: 'json', value });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return JSON.stringify(problemOf(error, 'req_1'));
      }
      throw new Error('a hostile body was accepted');
    };
    let slowestMs = 0;
    for (const [, json] of hostileBodies()) {
      let fastestMs = Number.POSITIVE_INFINITY;
      for (let run = 0; run < RUNS; run++) {
        const startedMs = performance.now();
        refuse(json);
        fastestMs = Math.min(fastestMs, performance.now() - startedMs);
      }
      slowestMs = Math.max(slowestMs, fastestMs);
    }
    return slowestMs;
  },
};
