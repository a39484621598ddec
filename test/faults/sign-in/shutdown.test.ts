import { type ClientRequest, request } from 'node:http';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { personAt } from '../../helpers/people/person.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { waitFor } from '../../helpers/wait.js';

const LOG_INS = 30;
/** Longer than a control plane once waited, and well below what it waits now. */
const LATE_MS = 4_000;
const EXIT_MS_MAX = 10_000;
const PASSWORD = 'gravel onion tuesday lamp';

t.test('log-ins that are in progress at SIGTERM are finished', async (t) => {
  const mongo = await testDatabase();
  const plane = await startControlPlane(mongo.uri, { PICKET_LOG_LEVEL: 'info' });
  t.teardown(async () => {
    await plane.remove();
    await mongo.drop();
  });
  const email = 'owner@example.com';
  const workspace_name = 'Example';
  const signedUp = await personAt(plane.url).send('POST', '/v1/auth/signup', {
    email,
    password: PASSWORD,
    workspace_name,
  });
  t.equal(signedUp.status, 201);

  const body = JSON.stringify({ email, password: PASSWORD });
  const half = body.length / 2;
  const begun = await Promise.all(
    Array.from({ length: LOG_INS }, async () => {
      const sent = request(`${plane.url}/v1/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' },
      });
      const answer = statusOf(sent);
      sent.flushHeaders();
      // The control plane has read the headers.
      await new Promise((resolve) => sent.once('continue', resolve));
      sent.write(body.slice(0, half));
      return { sent, answer };
    }),
  );
  const stoppedAt = performance.now();
  const exit = plane.stop();
  await waitFor('the shutdown', 5_000, () => plane.output().includes('"stopping"'));
  await t.rejects(fetch(`${plane.url}/livez`), 'a new connection is refused');
  await new Promise((resolve) => setTimeout(resolve, LATE_MS));
  for (const { sent } of begun) sent.end(body.slice(half));
  const statuses = await Promise.all(begun.map(({ answer }) => answer));
  t.same([...new Set(statuses)], [200], 'none was cut');
  t.equal(await exit, 0);
  const tookMs = performance.now() - stoppedAt;
  t.ok(tookMs < EXIT_MS_MAX, `stopped within ${Math.round(tookMs)} ms`);
});

/** Resolves to the status of the answer, or to the reason why there is none. */
function statusOf(sent: ClientRequest): Promise<number | string> {
  return new Promise((resolve) => {
    sent.once('error', (error) => resolve(String(error)));
    sent.once('response', async (response) => {
      await text(response);
      resolve(response.statusCode ?? 0);
    });
  });
}
