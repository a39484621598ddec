import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { atHost } from '../../helpers/http/at-host.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { browser } from '../../helpers/single-sign-on/browser.js';
import { startOidcProvider } from '../../helpers/single-sign-on/provider.js';
import { accountOf, CALLBACK, PUBLIC_URL } from '../../helpers/single-sign-on/setup.js';
import { INVITATIONS } from '../../helpers/team/invitations.js';
import { requestAs, storePerson, storeWorkspace } from '../../helpers/team/people.js';

const PUBLIC_HOST = new URL(PUBLIC_URL).host;

t.test('a control plane with a provider and an authenticating proxy in its environment', async (t) => {
  const mongo = await testDatabase();
  const provider = await startOidcProvider({ redirectUri: CALLBACK });
  const controlPlane = await startControlPlane(mongo.uri, {
    ...{ PICKET_PUBLIC_URL: PUBLIC_URL, PICKET_AUTH_HEADER: 'Remote-Email', PICKET_TRUSTED_PROXIES: '127.0.0.1' },
    ...{ PICKET_OIDC_ISSUER: provider.issuer, PICKET_OIDC_CLIENT_ID: provider.clientId },
    ...{ PICKET_OIDC_CLIENT_SECRET: provider.clientSecret, PICKET_OIDC_NAME: 'Example Ltd' },
  });
  t.teardown(async () => {
    await controlPlane.remove();
    await provider.close();
    await mongo.drop();
  });
  const { url } = controlPlane;

  await t.test('signs people in through the provider', async (t) => {
    provider.signInAs(accountOf('ada@example.com'));
    const visitor = browser();
    const started = await visitor.open(`${url}/v1/auth/sso/start`);
    t.equal(started.status, 302, started.text);
    const address = await visitor.until(started.headers.get('location') ?? '', CALLBACK);
    t.equal((await visitor.open(address.replace(PUBLIC_URL, url))).status, 302);
    const me = await visitor.open(`${url}/v1/auth/me`);
    t.match(JSON.parse(me.text), { data: { email: 'ada@example.com', role: 'member', api_key: null } });
    t.notMatch(controlPlane.output(), provider.clientSecret);
  });

  await t.test('signs people in by the header of the proxy', async (t) => {
    const bob = () => atHost(PUBLIC_HOST, `${url}/v1/auth/me`, { headers: { 'remote-email': 'bob@example.com' } });
    const me = await bob();
    t.match(me.body, { data: { email: 'bob@example.com', role: 'viewer', api_key: null } });
    t.equal((await browser().open(`${url}/v1/auth/me`)).status, 401);
    const removed = await controlPlane.api('DELETE', `/v1/team/members/${me.body.data.id}`);
    t.equal(removed.status, 204);
    t.equal((await bob()).status, 401, 'out at once, also for reads');
  });

  await t.test('lets people of the proxy accept invitations and switch, without a password', async (t) => {
    const headers = { 'remote-email': 'carol@example.com', 'content-type': 'application/json' };
    const carol = async (method: string, path: string, body?: unknown) => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const { status, text, body: answer } = await atHost(PUBLIC_HOST, `${url}${path}`, { method, headers, ...sent });
      return { status, data: answer.data, text };
    };
    const worksIn = async () => (await carol('GET', '/v1/auth/me')).data.workspace.id;
    const first = await worksIn();
    const owner = await storePerson(mongo, await storeWorkspace(mongo), 'owner');
    const invited = async (email: string) => {
      const made = await requestAs(url, owner.cookie, ['POST', INVITATIONS, { email, role: 'member' }]);
      return { token: made.body.data.accept_url.replace(/^.*#token=/, '') };
    };
    const theirs = await invited('dan@example.com');
    t.match(await carol('POST', `${INVITATIONS}/preview`, theirs), { data: { password: 'enter_or_choose' } });
    t.match(await carol('POST', `${INVITATIONS}/accept`, theirs), { status: 422 }, 'that of somebody else');

    const own = await invited('carol@example.com');
    t.match(await carol('POST', `${INVITATIONS}/preview`, own), { data: { account: 'existing', password: 'none' } });
    t.equal(await worksIn(), first);
    const joined = await carol('POST', `${INVITATIONS}/accept`, own);
    t.match(joined, { status: 200, data: { role: 'member', workspace: { id: owner.workspaceId } } }, joined.text);
    t.equal(await worksIn(), owner.workspaceId, 'at once, also for reads');
    t.equal((await carol('POST', `/v1/auth/workspaces/${first}/switch`)).status, 200);
    t.equal(await worksIn(), first, 'at once');
  });

  await t.test('refuses a password where the workspace enforces its provider', async (t) => {
    const file = JSON.parse(await readFile(join(controlPlane.dataDir, 'first-run.json'), 'utf8'));
    const single_sign_on = { enforced: true, break_glass_user_id: null };
    await mongo.db.collection('workspaces').updateMany({}, { $set: { single_sign_on } });
    const logIn = await fetch(`${url}/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: file.email, password: file.password }),
    });
    t.match(await logIn.json(), {
      code: 'single_sign_on_required',
      sign_in_url: /\/v1\/auth\/sso\/start\?workspace=ws_/,
    });
    t.equal((await controlPlane.api('GET', '/v1/monitors')).status, 200, 'API keys go on');
  });
});
