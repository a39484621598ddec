import t from 'tap';
import { AppError } from '../../../control-plane/errors.js';
import { boundedErrors } from '../../../control-plane/http/input/error-limits.js';
import { isDeeperThan } from '../../../control-plane/http/input/strings.js';
import { createRouteValidators } from '../../../control-plane/http/input/validate.js';
import { problemOf } from '../../../control-plane/http/problem.js';
import { startStepCounter } from '../../helpers/count-steps.js';
import { BODY_BYTES as BYTES } from '../../helpers/http/filled.js';
import { hostileBodies, hostileBodyRoute } from '../../helpers/http/hostile-bodies.js';

/** The check of the depth takes 3 to 4 for each byte. Any work for each pair of items would take thousands. */
const STEPS_PER_BYTE_MAX = 8;
/** Before `boundedErrors` cuts them. The string functions of Node.js are not counted, so what they write is. */
const ERROR_CHARS_MAX = 256 * 1024;
const ERRORS_MAX = 50;
const ANSWER_BYTES_MAX = 64 * 1024;

const counter = startStepCounter();
t.teardown(() => counter.stop());

const { input } = createRouteValidators()(hostileBodyRoute());

for (const [what, json, path] of hostileBodies()) {
  t.test(`a body of 1 MiB, ${what}: refused with little work and a short answer`, async (t) => {
    t.ok(json.length <= BYTES && json.length > BYTES - 200, `${json.length} bytes`);
    const value: unknown = JSON.parse(json);
    let refusal: unknown;
    const steps = await counter.stepsOf(() => {
      isDeeperThan(json, 32);
      try {
        input('', { kind: 'json', value });
      } catch (error) {
        refusal = error;
      }
    });
    t.ok(steps > json.length && steps < STEPS_PER_BYTE_MAX * json.length, `${steps} steps`);
    if (!(refusal instanceof AppError)) throw refusal;
    const written = JSON.stringify(refusal.extra.errors).length;
    t.ok(written < ERROR_CHARS_MAX, `${written} characters of errors`);
    const answer = JSON.stringify(problemOf(refusal, 'req_1'));
    const problem = JSON.parse(answer);
    t.match(problem, { code: 'validation_failed', errors: [{ path, message: /./ }] });
    t.ok(problem.errors.length <= ERRORS_MAX, `${problem.errors.length} errors`);
    t.ok(Buffer.byteLength(answer) < ANSWER_BYTES_MAX, `${Buffer.byteLength(answer)} bytes`);
  });
}

t.test('the limits do not hide other errors, and invent none', async (t) => {
  const errorsOf = (value: unknown): object[] => {
    try {
      input('', { kind: 'json', value });
      return [];
    } catch (error) {
      return error instanceof AppError ? (error.extra.errors ?? []) : [];
    }
  };
  const ids = Array.from({ length: 51 }, (_, n) => `chn_${String(n).padStart(26, '0')}`);
  t.same(errorsOf({ channels: ids, name: '' }), [
    { path: '/name', message: 'must not be empty', code: 'empty' },
    { path: '/channels', message: 'must have at most 50 items', code: 'max_items', params: { max: 50 } },
  ]);
  const unknown = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`u${n}`, 1]));
  t.same(errorsOf({ http: { ...unknown, body: 5 } }).length, ERRORS_MAX);
  t.same(errorsOf({ ...unknown, channels: ids.slice(0, 50), name: 'x' }).length, ERRORS_MAX);
});

t.test('errors are limited in number, in length and in total size', (t) => {
  const long = Array.from({ length: 100 }, (_, n) => ({
    path: `/${n}${'€'.repeat(10_000)}`,
    message: '日'.repeat(10_000),
  }));
  const bounded = boundedErrors(long);
  t.ok(bounded.length > 10 && bounded.length <= ERRORS_MAX, `${bounded.length} errors`);
  t.ok(Buffer.byteLength(JSON.stringify(bounded)) <= 48 * 1024 + bounded.length + 1);
  for (const { path, message } of bounded) t.ok(path.length <= 200 && message.length <= 500);
  const empty = Array.from({ length: 100 }, () => ({ path: '', message: '' }));
  t.equal(boundedErrors(empty).length, ERRORS_MAX);
  t.end();
});
