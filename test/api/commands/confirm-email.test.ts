import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { runPicket } from '../../helpers/processes/picket-command.js';

const mongo = await testDatabase();
const controlPlane = await startControlPlane(mongo.uri);
t.teardown(async () => {
  await controlPlane.remove();
  await mongo.drop();
});

t.test('picket confirm-email prints a link that confirms the address of an account', async (t) => {
  const body = { email: 'ada@example.com', password: 'gravel onion tuesday lamp', workspace_name: 'Example Ltd' };
  const signedUp = await controlPlane.api('POST', '/v1/auth/signup', body, { authorization: '' });
  t.equal(signedUp.status, 201, JSON.stringify(signedUp.body));
  const { code, out, err } = await runPicket(['confirm-email', 'Ada@Example.com'], controlPlane.env);
  t.equal(code, 0, err);
  t.match(out, /^http:\/\/\S+\/confirm-email#token=\S{43}\n$/, 'only the link');
  const confirm = (password?: string) =>
    controlPlane.api(
      'POST',
      '/v1/auth/email/confirm',
      { token: out.trim().slice(-43), password },
      { authorization: '' },
    );
  t.equal((await confirm()).status, 422, 'whoever has the link still needs the password of the account');
  t.equal((await confirm(body.password)).status, 204);
  t.match(await mongo.db.collection('users').findOne({ email: body.email }), { email_confirmed_at_ms: Number });
  for (const [args, message] of [
    [['ada@example.com'], /^picket: the address "ada@example.com" is confirmed already\n$/],
    [['nobody@example.com'], /^picket: nobody has the address "nobody@example.com"\n$/],
    [[], /^picket: confirm-email requires one e-mail address\n/],
  ] as const) {
    t.match(await runPicket(['confirm-email', ...args], controlPlane.env), { code: 64, out: '', err: message });
  }
});
