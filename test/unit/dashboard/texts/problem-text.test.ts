import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'] } });

interface Failed {
  status: number;
  code: string;
  message: string;
  retryAfterS: number | null;
  body: Record<string, unknown>;
}

const { actionProblemText, isInDoubt, loadProblemText } = await browserModule<{
  actionProblemText(problem: Failed | null, isBack?: boolean): string;
  isInDoubt(problem: Failed | null): boolean;
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
  t.match(
    actionProblemText(away),
    / database .*probably not done\. Check in 2 s whether it was done\. If not, try again\.$/,
  );
  for (const problem of [null, failed({}), limited, away, failed({ status: 500 }), failed({ status: 504 })]) {
    t.notMatch(actionProblemText(problem), /page tries again|by itself/);
  }
  t.match(actionProblemText(failed({})), /probably not done/, 'nobody knows what a lost connection has done');
  t.end();
});

t.test('after a lost answer and a fault, the person has to check whether it was done', (t) => {
  // The API answers so, too, when it lost the database before this confirmed the change.
  const away = failed({ status: 503, code: 'unavailable' });
  const limited = failed({ status: 429, code: 'rate_limited' });
  for (const problem of [null, failed({}), away, failed({ status: 500 }), failed({ status: 502 })]) {
    t.equal(isInDoubt(problem), true);
    t.match(actionProblemText(problem), /check (in \S+ s )?whether it was done/i);
    t.notMatch(actionProblemText(problem), /nothing was changed/i);
  }
  for (const problem of [limited, failed({ status: 404 })]) t.equal(isInDoubt(problem), false);
  t.end();
});

t.test('what nobody knows is said anew once Picket answers again', (t) => {
  t.match(actionProblemText(failed({}), true), /^Picket answers again now\..* check whether it was done/i);
  const refused = failed({ status: 404, message: 'No such channel.' });
  t.equal(actionProblemText(refused, true), actionProblemText(refused));
  t.end();
});

t.test('a version that is not the newest is said in words of the page', (t) => {
  const changed = failed({ status: 412, code: 'precondition_failed', message: 'Retry with its new ETag.' });
  t.match(actionProblemText(changed), /^Somebody else changed this meanwhile\. Nothing of yours was saved\./);
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
  const refused = { status: 403, code: 'forbidden', message: 'Nobody but an owner may do it.' };
  t.match(
    actionProblemText(failed({ ...refused, body: { required_roles: ['owner'] } })),
    /^Your role in this workspace does not include this/,
  );
  t.match(actionProblemText(failed({ ...refused, code: 'email_not_confirmed' })), /^Confirm your e-mail address first/);
  t.equal(actionProblemText(failed(refused)), 'Nobody but an owner may do it.');
  t.equal(actionProblemText(failed({ status: 409, message: 'The name is taken.' })), 'The name is taken.');
  t.equal(loadProblemText(failed({ status: 402, message: 'The plan has no more.' })), 'The plan has no more.');
  t.end();
});
