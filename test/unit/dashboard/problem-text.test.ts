import t from 'tap';
import { browserModule } from '../../helpers/dashboard/browser-module.js';

Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'] } });

interface Failed {
  status: number;
  code: string;
  message: string;
  retryAfterS: number | null;
  body: Record<string, unknown>;
}

const { actionProblemText, loadProblemText } = await browserModule<{
  actionProblemText(problem: Failed | null): string;
  loadProblemText(problem: Failed | null): string;
}>('components/problem-text.ts');

const failed = (fields: Partial<Failed>): Failed => ({
  ...{ status: 0, code: 'internal', message: '', retryAfterS: null, body: {} },
  ...fields,
});

t.test('a failed action promises nothing that does not happen', (t) => {
  const limited = failed({ status: 429, code: 'rate_limited', retryAfterS: 30 });
  t.match(actionProblemText(limited), /^Nothing was changed: .* Try again in 30 s\.$/);
  t.match(actionProblemText({ ...limited, retryAfterS: null }), /Try again in 1 min\.$/);
  const away = failed({ status: 503, code: 'unavailable', retryAfterS: 2 });
  t.match(actionProblemText(away), /^Nothing was changed: .* database .* Try again in 2 s\.$/);
  for (const problem of [null, failed({}), limited, away, failed({ status: 500 }), failed({ status: 504 })]) {
    t.notMatch(actionProblemText(problem), /page tries again|by itself/);
  }
  t.match(actionProblemText(failed({})), /probably not done/, 'nobody knows what a lost connection has done');
  t.end();
});

t.test('only the control plane knows that its database is away', (t) => {
  for (const problem of [failed({ status: 500 }), failed({ status: 502 }), failed({ status: 503 })]) {
    t.notMatch(actionProblemText(problem), /database/);
    t.notMatch(loadProblemText(problem), /database/);
  }
  t.match(loadProblemText(failed({ status: 503, code: 'unavailable' })), /database/);
  t.end();
});

t.test('a fault names the request, if the answer does', (t) => {
  const fault = failed({ status: 500, body: { request_id: 'req_1' } });
  t.match(actionProblemText(fault), /: req_1\.$/);
  t.match(loadProblemText(fault), /: req_1\.$/);
  const long = failed({ status: 500, body: { request_id: 'x'.repeat(5_000) } });
  t.ok(actionProblemText(long).length < 400, 'a proxy in front may name anything');
  t.notMatch(actionProblemText(failed({ status: 500, body: { request_id: {} } })), /number of the request/);
  t.end();
});

t.test('a refusal explains itself', (t) => {
  const refused = failed({ status: 403, code: 'forbidden', message: 'Your role is viewer.' });
  t.match(actionProblemText(refused), /^Your role in this workspace does not include this/);
  t.equal(actionProblemText(failed({ status: 409, message: 'The name is taken.' })), 'The name is taken.');
  t.equal(loadProblemText(failed({ status: 402, message: 'The plan has no more.' })), 'The plan has no more.');
  t.end();
});
