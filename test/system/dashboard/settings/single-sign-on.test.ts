import t from 'tap';
import { examinedVisitor } from '../../../helpers/dashboard/examined-visitor.js';
import { logIn } from '../../../helpers/dashboard/log-in.js';
import { startPlaneInBrowser } from '../../../helpers/dashboard/plane-in-browser.js';
import { freePort } from '../../../helpers/machine/ports.js';
import { startOidcProvider } from '../../../helpers/single-sign-on/provider.js';
import { accountOf } from '../../../helpers/single-sign-on/setup.js';

const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const redirectUri = `${url}/v1/auth/sso/callback`;
/** The provider of the installation, and the one that a workspace sets. */
const [provider, own] = [await startOidcProvider({ redirectUri }), await startOidcProvider({ redirectUri })];
const settings = {
  ...{ PICKET_HTTP_PORT: String(port), PICKET_PUBLIC_URL: url, PICKET_OIDC_NAME: 'Example Ltd' },
  ...{ PICKET_OIDC_ISSUER: provider.issuer, PICKET_OIDC_CLIENT_ID: provider.clientId },
  PICKET_OIDC_CLIENT_SECRET: provider.clientSecret,
};
t.teardown(() => Promise.all([provider.close(), own.close()]));
const { mongo, plane, browser, owner } = await startPlaneInBrowser(t, { settings });
const { page, complaints, see, examined, violations } = await examinedVisitor(browser);
const throughProvider = page.getByRole('link', { name: 'Log in with Example Ltd' });

t.test('the provider of the installation logs people in, and opens the page that they wanted', async (t) => {
  provider.signInAs(accountOf('ada@example.com'));
  await page.goto(`${url}/incidents?status=firing`);
  await throughProvider.waitFor();
  await examined('log-in-with-provider');
  await throughProvider.click();
  await page.waitForURL(`${url}/incidents?status=firing`);
  await see('No incident matches this filter.');
  await page.goto(`${url}/settings/account`);
  await see('You are logged in as ada@example.com.');
  t.same(complaints, []);
});

t.test('a log-in for another tab ends with a page that says so', async () => {
  await page.context().clearCookies();
  await page.goto(`${url}/login?next=%2Flogged-in`);
  await throughProvider.click();
  await page.waitForURL(`${url}/logged-in`);
  await see('Close this tab, and go on in the one that you came from.');
  await examined('logged-in');
});

t.test('a log-in that is cancelled at the provider says so and leads back', async () => {
  await page.context().clearCookies();
  provider.signInAs(null);
  await page.goto(`${url}/login`);
  await throughProvider.click();
  await page.getByRole('heading', { name: 'Log-in cancelled' }).waitFor();
  await see('you cancelled the log-in there');
  await examined('log-in-cancelled');
  await page.getByRole('link', { name: 'To the log-in page' }).click();
  await throughProvider.waitFor();
});

t.test('an account that may not log in learns why, and has no session', async (t) => {
  provider.signInAs(accountOf('ada@example.com', { email_verified: false }));
  await throughProvider.click();
  await page.getByRole('heading', { name: 'Your e-mail address is not verified' }).waitFor();
  await examined('log-in-refused');
  await page.goto(`${url}/monitors`);
  await page.waitForURL(/\/login\?next=%2Fmonitors/);
  t.equal((await page.context().cookies()).filter(({ name }) => name === 'picket_session').length, 0);
});

t.test('a workspace sets its own provider, whose groups decide who may log in', async (t) => {
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
  });
  await logIn(page, { url, dataDir: plane.dataDir }, '/settings/single-sign-on');
  await page.getByLabel('Issuer').waitFor();
  t.same(refused, [], 'the page asks for nothing that does not exist: browsers report that as an error');
  await page.getByLabel('Issuer').fill(own.issuer);
  await page.getByLabel('Client ID').fill(own.clientId);
  await page.getByLabel('Client secret').fill(own.clientSecret);
  await page.getByLabel('Role of new members').selectOption({ label: 'No access' });
  await page.getByLabel('Claim with the role').fill('groups');
  await page.getByRole('button', { name: 'Add value', exact: true }).click();
  await page.getByLabel('Value of the claim').fill('engineering');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await see('The identity provider is saved.');
  const { body } = await plane.api('GET', '/v1/single-sign-on');
  t.match(body.data, { issuer: own.issuer });
  t.match((await plane.api('GET', '/v1/workspace')).body.data, { has_identity_provider: true });
  const workspace = await mongo.db.collection<{ _id: string }>('workspaces').findOne();
  const now = { verified_at_ms: Date.now(), checked_at_ms: Date.now(), created_at_ms: Date.now(), version: 1 };
  await mongo.db.collection<{ _id: string }>('single_sign_on_domains').insertOne({
    ...{ _id: `${workspace?._id}/example.org`, workspace_id: workspace?._id, domain: 'example.org', token: 't' },
    ...now,
  } as never);

  await page.context().clearCookies();
  own.signInAs(accountOf('eve@example.org', { groups: ['sales'] }));
  await page.goto(`${body.data.start_url}`);
  await page.getByRole('heading', { name: 'You have no access to this workspace' }).waitFor();
  await examined('log-in-no-access');
  own.signInAs(accountOf('grace@example.org', { groups: ['engineering'] }));
  await page.context().clearCookies();
  await page.goto(`${body.data.start_url}`);
  await page.waitForURL(`${url}/`);
  await see('What should we watch?');
  await page.goto(`${url}/settings/account`);
  await see('You are logged in as grace@example.org.');
});

t.test('where a workspace enforces its provider, the password leads there', async () => {
  const single_sign_on = { enforced: true, break_glass_user_id: null };
  await mongo.db.collection('workspaces').updateMany({}, { $set: { single_sign_on } });
  await page.context().clearCookies();
  own.signInAs(null);
  await page.goto(`${url}/login`);
  await page.getByLabel('E-mail address').fill(owner.email);
  await page.getByLabel('Password', { exact: true }).fill(owner.password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('heading', { name: 'Log-in cancelled' }).waitFor();
});

t.test('nothing was wrong in the browser', async (t) => {
  t.same(violations, [], 'no page breaks a rule of accessibility');
  t.same(complaints, [], 'the browser complained about nothing');
});
