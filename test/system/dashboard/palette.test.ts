import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import type { Role } from '../../../control-plane/roles.js';
import { comesTo } from '../../helpers/dashboard/comes-to.js';
import { useSession } from '../../helpers/dashboard/cookie.js';
import { startPlaneInBrowser } from '../../helpers/dashboard/plane-in-browser.js';
import { overflowsPhone, type Visitor, visitor } from '../../helpers/dashboard/visitor.js';
import { firingIncident, over } from '../../helpers/incidents/stored.js';
import { storePerson } from '../../helpers/team/people.js';
import { waitFor } from '../../helpers/wait.js';

/** Part of the name of one object of each kind. */
const WORD = 'harbour';
/** More than the palette reads at once. */
const OTHER_MONITORS = 60;
const OF_EVERYBODY = [
  ...['Monitors', 'Open incidents', 'Silenced incidents', 'Resolved incidents', 'Blacklists', 'Members'],
  ...['Channels', 'Alert rules', 'Forwarders'],
];

const { mongo, plane, browser } = await startPlaneInBrowser(t);

const { workspace } = (await plane.api('GET', '/v1/auth/me')).body.data;
const violations: string[] = [];

t.before(async () => {
  const create = async (path: string, body: object) => {
    const { status, body: answer } = await plane.api('POST', path, body);
    if (status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  };
  await create('/v1/monitors', { name: `Shop ${WORD}`, type: 'tcp', url: '127.0.0.1:9' });
  for (let index = 0; index < OTHER_MONITORS; index++) {
    await create('/v1/monitors', { name: `Other ${index}`, type: 'tcp', url: `127.0.0.1:${index + 10}` });
  }
  await create('/api/v1/blacklist/monitors', { target: `${WORD}.example.com`, frequency: 'daily' });
  await create('/v1/channels', {
    name: `Pager ${WORD}`,
    type: 'ntfy',
    config: { url: 'http://127.0.0.1:8999', topic: 'a-topic' },
  });
  await create('/v1/alert-rules', { name: `Load ${WORD}`, type: 'server_offline' });
  await create('/v1/api-keys', { name: `Key ${WORD}` });
  await create('/v1/audit-logs/forwarders', { name: `SIEM ${WORD}`, target: 'syslog+tcp://127.0.0.1:9', paused: true });
  await storePerson(mongo, workspace.id, 'viewer', { user: { email: `${WORD}@example.com` } });
  const of = (name: string) =>
    firingIncident(workspace.id, { monitor_name: `${name} ${WORD}`, message: 'It is down.' });
  await mongo.db
    .collection<IncidentDocument>('incidents')
    .insertMany([of('Fires'), { ...of('Silent'), status: 'silenced' }, over(of('Over'))]);
});

async function openAs(role: Role, options: { language?: string } = {}): Promise<Visitor> {
  const opened = await visitor(browser, options);
  const { cookie } = await storePerson(mongo, workspace.id, role);
  await useSession(opened.page, plane.url, cookie);
  await opened.page.goto(`${plane.url}/incidents`);
  await isReady(opened.page);
  return opened;
}

/** Resolves when the page knows who has opened it: the palette depends on the role and on the plan. */
async function isReady(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Search|^Suche/ }).waitFor();
}

const field = (page: Page): Locator => page.getByRole('dialog').getByRole('combobox');

/** Opens the palette and resolves to the headings of what it found for a text, when it has searched. */
async function foundFor(page: Page, text: string): Promise<(string | null)[]> {
  await page.keyboard.press('Control+k');
  await field(page).fill(text);
  await page
    .getByRole('dialog')
    .getByText(/^\d+ (?:results?|Treffer)$/)
    .waitFor({ state: 'attached' });
  await page.getByRole('dialog').getByRole('option').first().waitFor();
  const groups = await page.getByRole('listbox').getByRole('group').all();
  return Promise.all(groups.map((group) => group.getAttribute('aria-label')));
}

t.test('an owner finds an object of every kind, and opens it by keyboard', async (t) => {
  const { page, complaints, examine, close } = await openAs('owner');
  t.same((await foundFor(page, WORD)).toSorted(), [...OF_EVERYBODY, 'API keys'].toSorted());
  violations.push(...(await examine('palette-everything')));
  t.notOk(await overflowsPhone(page), 'it fits a phone');
  const opens = async (text: string, path: RegExp, heading: string) => {
    await page.keyboard.press('Escape');
    // Until the page knows that it is closed, the key opens nothing.
    await page.locator('dialog.palette').waitFor({ state: 'detached' });
    await foundFor(page, text);
    await page.keyboard.press('Enter');
    await page.waitForURL(path);
    await page.getByRole('heading', { name: heading }).first().waitFor();
  };
  await opens(`pager ${WORD}`, /\/settings\/channels\/chn_/, `Pager ${WORD}`);
  await opens(`load ${WORD}`, /\/settings\/alert-rules\/rule_/, `Load ${WORD}`);
  await opens(`${WORD}.example`, /\/blacklists\/blm_/, `${WORD}.example.com`);
  await opens(`key ${WORD}`, /\/settings\/api-keys$/, 'API keys');
  await opens(`${WORD}@`, /\/settings\/team$/, 'Team');
  await opens(`siem ${WORD}`, /\/settings\/forwarders$/, 'Forwarders');
  await opens(`over ${WORD}`, /\/incidents\/inc_/, `Over ${WORD}`);
  await opens('second factor', /\/settings\/second-factor$/, 'Second factor');
  await opens('add forwarder', /\/settings\/forwarders\?add=true$/, 'Add forwarder');
  await opens('invite', /\/settings\/team$/, 'Invite somebody');
  await opens('add server', /\/servers\/new$/, 'Add server');
  t.same(complaints, []);
  await close();
});

t.test('nobody is shown what their role may not read or do', async (t) => {
  const member = await openAs('member');
  t.same((await foundFor(member.page, WORD)).toSorted(), OF_EVERYBODY.toSorted());
  await field(member.page).fill('add');
  await member.page.getByRole('option', { name: 'Add monitor', exact: true }).waitFor();
  const options = async (page: Page) =>
    (await page.getByRole('dialog').getByRole('option').allTextContents()).filter((one) => /^Add/.test(one));
  t.notOk((await options(member.page)).includes('Add forwarder'));
  await field(member.page).fill('invite');
  await member.page.getByText('Nothing is called “invite”.').waitFor();
  await field(member.page).fill('docs');
  await member.page.getByRole('option', { name: 'API reference', exact: true }).waitFor();
  await field(member.page).fill('security');
  await member.page.getByRole('option', { name: 'Settings: Second factor', exact: true }).waitFor();
  await field(member.page).fill('api key');
  await member.page.getByText('Nothing is called “api key”.').waitFor();
  t.same(member.complaints, []);
  await member.close();

  const viewer = await openAs('viewer', { language: 'de' });
  const found = await foundFor(viewer.page, WORD);
  t.ok(found.includes('Behobene Vorfälle') && found.includes('Alarmregeln'), found.join());
  t.notOk(found.includes('API-Schlüssel'));
  await field(viewer.page).fill('hinzufügen');
  await viewer.page.getByText('Nichts heißt „hinzufügen“.').waitFor();
  t.same(viewer.complaints, []);
  await viewer.close();
});

t.test('without the feature, forwarders are neither read nor offered', async (t) => {
  const { page, close } = await openAs('owner');
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  const workspaces = mongo.db.collection('workspaces');
  await workspaces.updateOne({ _id: workspace.id }, { $set: { plan: 'Pro' } });
  // Sessions keep what they know for some seconds.
  await waitFor('the plan of the session', 30_000, async () => {
    const answer = await page.context().request.get(`${plane.url}/v1/auth/me`);
    return (await answer.json()).data.features.audit_export === false;
  });
  await page.reload();
  await isReady(page);
  t.notOk((await foundFor(page, WORD)).includes('Forwarders'));
  t.notOk(paths.includes('/v1/audit-logs/forwarders'));
  await field(page).fill('add forwarder');
  await page.getByText('Nothing is called “add forwarder”.').waitFor();
  await workspaces.updateOne({ _id: workspace.id }, { $set: { plan: 'Enterprise' } });
  await close();
});

t.test('it asks only while it is open, and once for lists that are short', async (t) => {
  const { page, close } = await openAs('owner');
  // When the stream begins, what is on the page is read again.
  await page.locator('.live').getByText('Live', { exact: true }).waitFor();
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (/^\/(?:api\/)?v1\//.test(pathname) && /[?&](?:q|limit)=/.test(search)) asked.push(`${pathname}${search}`);
  });
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: 'Add monitor', exact: true }).waitFor();
  const ofChannels = () => asked.filter((path) => path.startsWith('/v1/channels'));
  t.same(ofChannels(), [], 'nothing was typed');
  await field(page).pressSequentially('shop', { delay: 300 });
  await page.getByRole('option', { name: new RegExp(`^Shop ${WORD}`) }).waitFor();
  await comesTo(t, () => ofChannels().length, 1);
  const searched = asked.filter((path) => path.startsWith('/v1/monitors?q='));
  t.ok(searched.length >= 1 && searched.length <= 4, searched.join());
  t.ok(
    asked.filter((path) => path.includes('?q=')).every((path) => path.startsWith('/v1/monitors')),
    'only of monitors are there more than it has read',
  );
  await page.keyboard.press('Escape');
  await plane.api('POST', '/v1/channels', {
    name: 'Another',
    type: 'ntfy',
    config: { url: 'http://127.0.0.1:8999', topic: 'b' },
  });
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('option', { name: 'Add monitor', exact: true }).waitFor();
  t.equal(ofChannels().length, 1, 'a change is nothing to a palette that is closed, or in which nothing is typed');
  await close();
});

t.test('the API says what the plan includes', async () => {
  const all = (has: boolean) => ({ scoped_keys: has, audit_export: has, single_sign_on: has });
  const says = (has: boolean) =>
    waitFor('the features of the plan', 30_000, async () => {
      const { features } = (await plane.api('GET', '/v1/auth/me')).body.data;
      return JSON.stringify(features) === JSON.stringify(all(has));
    });
  const workspaces = mongo.db.collection('workspaces');
  await says(true);
  await workspaces.updateOne({ _id: workspace.id }, { $set: { plan: 'Pro' } });
  await says(false);
});

t.test('no state of it breaks a rule of accessibility', async (t) => t.same(violations, []));
