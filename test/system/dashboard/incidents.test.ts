import t from 'tap';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import { systemClock } from '../../../kernel/clock.js';
import { systemRandom } from '../../../kernel/random.js';
import { useSession } from '../../helpers/dashboard/cookie.js';
import { overflowsPhone, type Visitor, visitor } from '../../helpers/dashboard/visitor.js';
import { testDatabase } from '../../helpers/database.js';
import { startChromium } from '../../helpers/machine/chromium.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { storePerson } from '../../helpers/team/people.js';
import { waitFor } from '../../helpers/wait.js';

// Browsers are slow on a busy machine.
t.setTimeout(300_000);

const HOSTILE = `<img src=x onerror="alert('hostile')"> ${'W'.repeat(150)}`;
const HOUR_MS = 3_600_000;
const ids = createIds(systemClock, systemRandom);

t.test('incidents: the list, its filters, and what a person does with one', async (t) => {
  const mongo = await testDatabase();
  const plane = await startControlPlane(mongo.uri);
  const browser = await startChromium();
  t.teardown(async () => {
    await browser.close();
    await plane.remove();
    await mongo.drop();
  });
  const workspaceId: string = (await plane.api('GET', '/v1/auth/me')).body.data.workspace.id;
  await mongo.db
    .collection<IncidentDocument>('incidents')
    .insertMany([
      incident(workspaceId, { monitor_name: HOSTILE, message: `${HOSTILE} is down.` }),
      incident(workspaceId, { kind: 'certificate', severity: 'warning', monitor_name: 'Blog', message: 'It expires.' }),
      over(incident(workspaceId, { monitor_name: 'Mail', message: 'Mail is down.' })),
    ]);
  const violations: string[] = [];

  await t.test('filters are in the address', async (t) => {
    const { page, complaints, examine, close } = await signedIn('member');
    const rows = page.locator('.rows a.row');
    const shows = (count: number) => waitFor(`${count} incidents`, 30_000, async () => (await rows.count()) === count);
    await page.goto(`${plane.url}/incidents`);
    await page.getByText('2 incidents firing.').waitFor();
    await shows(3);
    violations.push(...(await examine('incidents-all')));
    t.notOk(await overflowsPhone(page), 'the list fits a phone');
    await page.getByLabel('Filter by name or message').fill('MAIL');
    await shows(1);
    await page.waitForURL(/q=MAIL/);
    await page.getByLabel('Severity').selectOption('warning');
    await page.getByText('No incident matches this filter.').waitFor();
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await shows(3);
    t.equal(await page.getByLabel('Filter by name or message').inputValue(), '');
    await page.getByLabel('Kind').selectOption('certificate');
    await shows(1);
    await page.reload();
    await shows(1);
    t.match(await rows.first().innerText(), /Blog/);
    t.same(complaints, []);
    await close();
  });

  await t.test('a member acknowledges, silences and resolves', async (t) => {
    const { page, complaints, examine, close } = await signedIn('member');
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await page.goto(`${plane.url}/incidents?status=firing&kind=monitor`);
    await page.locator('.rows a.row').first().click();
    await button('Acknowledge').waitFor();
    await page.context().setOffline(true);
    await button('Acknowledge').click();
    await page.getByText(/this is probably not done\. .* then try again\.$/).waitFor();
    await page.context().setOffline(false);
    await button('Acknowledge').click();
    await page.getByText(/acknowledged it at/).waitFor();
    await button('Silence').click();
    await page.getByText(/^Silenced since .*: no more notifications until it is resolved\./).waitFor();
    violations.push(...(await examine('incident-silenced')));
    t.notOk(await overflowsPhone(page), 'the incident fits a phone');
    t.equal(await page.locator('img').count(), 0, 'no name is markup');
    await page.locator('.timeline-line time').first().focus();
    await page
      .getByRole('tooltip')
      .getByText(/\d\d:\d\d:\d\d UTC$/)
      .waitFor();
    t.notOk(await overflowsPhone(page), 'the exact time fits a phone');
    await page.keyboard.press('Escape');
    await page.getByRole('tooltip').waitFor({ state: 'detached' });
    await button('Resolve').click();
    await page.getByText('A person resolved it.').waitFor();
    t.equal(await button('Acknowledge').count(), 0, 'it is over');
    t.same(complaints, []);
    await close();
  });

  await t.test('a viewer reads how an incident ended, and changes nothing', async (t) => {
    const { page, complaints, close } = await signedIn('viewer');
    await page.goto(`${plane.url}/incidents?q=mail`);
    await page.locator('.rows a.row').first().click();
    await page.getByText('The problem ended by itself.').waitFor();
    await page.goto(`${plane.url}/incidents?status=firing`);
    await page.locator('.rows a.row').first().click();
    await page.getByText('Why did this alert?').waitFor();
    for (const name of ['Acknowledge', 'Silence', 'Resolve']) {
      t.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name);
    }
    t.same(complaints, []);
    await close();
  });

  t.same(violations, [], 'no page breaks a rule of accessibility');

  async function signedIn(role: 'member' | 'viewer'): Promise<Visitor> {
    const { cookie } = await storePerson(mongo, workspaceId, role);
    const someone = await visitor(browser);
    await useSession(someone.page, plane.url, cookie);
    return someone;
  }
});

function incident(workspace_id: string, fields: Partial<IncidentDocument>): IncidentDocument {
  const [id, monitorId, nowMs] = [ids.next('inc'), ids.next('mon'), Date.now()];
  const name = fields.monitor_name ?? '';
  return {
    ...{ _id: id, workspace_id, kind: 'monitor', subject: `monitor:${id}`, open: true, monitor_id: monitorId },
    ...{ monitor_name: name, resource: { type: 'monitor', id: monitorId, name }, status: 'firing' },
    ...{ severity: 'critical', message: '', resolution: null, started_at_ms: nowMs - HOUR_MS, resolved_at_ms: null },
    ...{ acknowledged_at_ms: null, acknowledged_by: null, silenced_at_ms: null, decision: null, recovery: null },
    events: [{ at_ms: nowMs - HOUR_MS, type: 'opened', message: 'Incident opened.', actor: 'system' }],
    ...{ channels: null, runbook_url: null, updated_at_ms: nowMs },
    ...fields,
  };
}

/** Returns the incident as it is after it has ended by itself. */
function over({ open: _open, ...rest }: IncidentDocument): IncidentDocument {
  return { ...rest, status: 'resolved', resolution: 'recovered', resolved_at_ms: Date.now() };
}
