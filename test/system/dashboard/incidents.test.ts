import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import type { RuleDecisionRecord } from '../../../control-plane/servers/rules/incident/decision-record.js';
import type { DecisionRecord, VoteRecord } from '../../../control-plane/verdicts/decision-record.js';
import { certificateRecord } from '../../../control-plane/verdicts/incident-kinds/certificate.js';
import { comesTo } from '../../helpers/dashboard/comes-to.js';
import { useSession } from '../../helpers/dashboard/cookie.js';
import { withoutPeriodicReads } from '../../helpers/dashboard/page-timers.js';
import { startPlaneInBrowser } from '../../helpers/dashboard/plane-in-browser.js';
import { overflowsPhone, type Visitor, visitor } from '../../helpers/dashboard/visitor.js';
import type { testDatabase } from '../../helpers/database.js';
import { firingIncident, over } from '../../helpers/incidents/stored.js';
import { decision, vote } from '../../helpers/notifications/build.js';
import { storePerson } from '../../helpers/team/people.js';
import { waitFor } from '../../helpers/wait.js';

type TestDatabase = Awaited<ReturnType<typeof testDatabase>>;

const HOSTILE = `<img src=x onerror="alert('hostile')"> ${'W'.repeat(150)}`;
const HOUR_MS = 3_600_000;
/** Nearly twice the lease: one of a longer time counts as none. */
const LEASE_MS_MAX = 55_000;
const RENEWED_MS = 2_000;

t.test('incidents: the list, its filters, and what a person does with one', async (t) => {
  const { mongo, plane, browser } = await startPlaneInBrowser(t);
  const workspaceId: string = (await plane.api('GET', '/v1/auth/me')).body.data.workspace.id;
  await mongo.db.collection<IncidentDocument>('incidents').insertMany([
    firingIncident(workspaceId, { monitor_name: HOSTILE, message: `${HOSTILE} is down.`, decision: outage() }),
    firingIncident(workspaceId, {
      ...{ kind: 'certificate', severity: 'warning', monitor_name: 'Blog', message: 'It expires.' },
      decision: certificateRecord({ not_after_ms: Date.now() + 90 * HOUR_MS, issuer: 'R11' }),
    }),
    over(firingIncident(workspaceId, { monitor_name: 'Mail', message: 'Mail is down.' })),
  ]);
  const violations: string[] = [];

  await t.test('filters are in the address', async (t) => {
    const { page, complaints, examine, close } = await signedIn('member');
    const rows = page.locator('.rows a.row');
    const shows = (count: number) => waitFor(`${count} incidents`, 30_000, async () => (await rows.count()) === count);
    await page.goto(`${plane.url}/incidents`);
    await page.getByText('2 incidents firing.').waitFor();
    await shows(3);
    await comesTo(t, () => page.locator('section.panel h2').allInnerTexts(), ['Firing', 'Resolved']);
    const named = async () => (await rows.allInnerTexts()).map((row) => /hostile|Blog|Mail/.exec(row)?.[0]);
    await comesTo(t, named, ['hostile', 'Blog', 'Mail'], 'the worst first, what is over last');
    violations.push(...(await examine('incidents-all')));
    t.notOk(await overflowsPhone(page), 'the list fits a phone');
    await page.getByLabel('Kind').focus();
    for (let key = 0; key < 9 && (await page.locator('.rows a.row:focus').count()) === 0; key++) {
      await page.keyboard.press('Tab');
    }
    await comesTo(t, () => page.locator('.rows a.row:focus time').count(), 2);
    t.equal(await page.getByRole('tooltip').count(), 0, 'a step through the rows hides none of them');
    await page.getByLabel('Filter by name or message').fill('MAIL');
    await shows(1);
    await page.waitForURL(/q=MAIL/);
    await page.getByLabel('Severity').selectOption('warning');
    await page.getByText('No incident matches this filter.').waitFor();
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await shows(3);
    await comesTo(t, () => page.getByLabel('Filter by name or message').inputValue(), '');
    await page.getByLabel('Kind').selectOption('certificate');
    await shows(1);
    await page.reload();
    await shows(1);
    await rows.first().getByText('Blog').first().waitFor();
    await page.goto(`${plane.url}/incidents?utm_source=mail&status=resolved&from=chat`);
    await shows(1);
    // Parameters of others do not matter.
    await rows.first().getByText('Mail').first().waitFor();
    t.same(complaints, []);
    await close();
  });

  await t.test('a search that was cut off says up to when it has looked, and can go on', async (t) => {
    const { page, complaints, close } = await signedIn('member');
    // The server ends a search after ten thousand incidents.
    await page.route(/\/v1\/alerts\?.*q=rare/, (route) => {
      const isFirst = !route.request().url().includes('cursor=');
      const cut = { data: [], next_cursor: 'next', searched_to: new Date(Date.now() - HOUR_MS).toISOString() };
      return route.fulfill({ json: isFirst ? cut : { data: [], next_cursor: null, searched_to: null } });
    });
    await page.goto(`${plane.url}/incidents?q=rare`);
    await page.getByText(/^Searched back to .* Older incidents have not been searched yet\.$/).waitFor();
    t.equal(await page.getByText('No incident matches this filter.').count(), 0, 'that is not known yet');
    // When the stream begins, the page reads its list again, and forgets the part that it is just reading.
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Search older incidents' }).click();
    await page.getByText('No incident matches this filter.').waitFor();
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
    await page.getByText(/this is probably not done\. .* If not, try again\.$/).waitFor();
    await page.context().setOffline(false);
    await button('Acknowledge').click();
    await page.locator('.note time', { hasText: /\d\d:\d\d/ }).click();
    await page.getByRole('tooltip').waitFor();
    t.match(
      await page.locator('h1 time').getAttribute('datetime'),
      /^\d{4}-.*Z$/,
      'times within sentences are elements',
    );
    await button('Silence').click();
    t.notOk(await overflowsPhone(page), 'the choice fits a phone');
    await button('For 2 h').click();
    await page.getByText(/^Silenced until .*fires again/).waitFor();
    const incidentUrl = page.url();
    await page.goto(plane.url);
    const broken = page.locator('section.panel', { hasText: 'Broken now' });
    await broken.locator('.row-detail', { hasText: /^silenced$/ }).waitFor();
    await page.goto(incidentUrl);
    await button('End silence').click();
    await page.getByText(/ended the silence\.$/).waitFor();
    await button('Silence').click();
    await button('Until resolved').click();
    await page.getByText(/^Silenced since .*: no more notifications until it is resolved\./).waitFor();
    violations.push(...(await examine('incident-silenced')));
    t.notOk(await overflowsPhone(page), 'the incident fits a phone');
    await page.getByLabel('Your comment').fill(HOSTILE);
    await button('Add comment').click();
    const comment = page.locator('.comment');
    await comment.getByText(HOSTILE).waitFor();
    await comesTo(t, async () => /@/.test(await comment.innerText()), true, 'who wrote it');
    await comesTo(t, () => comment.locator('time').count(), 1);
    // The event can be faster than the answer.
    const field = page.getByLabel('Your comment');
    await waitFor('an empty field', 30_000, async () => (await field.inputValue()) === '');
    await page.getByText(/ commented\.$/).waitFor();
    t.notOk(await overflowsPhone(page), 'the comment fits a phone');
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
    await page.getByText(/ is still down\. Resolving ends this incident\. .* after 10 minutes/).waitFor();
    await button('Silence until resolved').waitFor({ state: 'detached' });
    violations.push(...(await examine('incident-resolve')));
    t.notOk(await overflowsPhone(page), 'the question fits a phone');
    await button('Cancel').click();
    await comesTo(t, () => button('End silence').count(), 1, 'nothing is done before the answer');
    await button('End silence').click();
    await button('Resolve').click();
    await button('Silence until resolved').click();
    await button('End silence').waitFor();
    await button('Resolve').click();
    await button('Resolve anyway').click();
    await page.getByText('A person resolved it.').waitFor();
    await page
      .locator('.note.warning', { hasText: /@\S+ resolved it at .* while the monitor was still down\./ })
      .waitFor();
    await page.locator('h1', { hasText: /^resolved by a person/ }).waitFor();
    violations.push(...(await examine('incident-resolved-early')));
    await comesTo(t, () => button('Acknowledge').count(), 0, 'it is over');
    t.same(complaints, []);
    await close();
  });

  await t.test(
    'a comment of somebody else arrives on an open page; one that cannot be read is asked for again',
    async (t) => {
      const { page, complaints, close } = await signedIn('viewer');
      // The event must bring it: the page reads comments once a minute by itself.
      await withoutPeriodicReads(page.context());
      const answer = { fails: true };
      await page.route(/\/comments\?/, (route) => (answer.fails ? route.abort() : route.continue()));
      await page.goto(`${plane.url}/incidents?q=mail`);
      await page.locator('.rows a.row').first().click();
      await page.getByText('The comments could not be loaded.').waitFor();
      answer.fails = false;
      await page.locator('.comments-failed').getByRole('button', { name: 'Try again' }).click();
      await page.getByText('No comments yet.').waitFor();
      await page.getByText(/^Live/).waitFor();
      const id = new URL(page.url()).pathname.split('/').at(-1);
      const sent = await plane.api('POST', `/v1/alerts/${id}/comments`, { text: 'The mail queue was full.' });
      t.equal(sent.status, 201);
      await page.locator('.comment').getByText('The mail queue was full.').waitFor();
      t.ok(
        complaints.every((one) => one.includes('ERR_FAILED')),
        'nothing else failed',
      );
      await close();
    },
  );

  await t.test('the map of votes says what each location had seen before, in the language of the viewer', async (t) => {
    for (const [language, up, down] of [
      ['en-GB', /^It last succeeded .*\d\d:\d\d:\d\d\.$/, /^It had failed, first .*\d\d:\d\d:\d\d\.$/],
      ['de-DE', /^Davor zuletzt erfolgreich .*\d\d:\d\d:\d\d\.$/, /^Davor fehlgeschlagen, zuerst .*\.$/],
    ] as const) {
      const { page, complaints, examine, close } = await signedIn('viewer', language);
      await page.goto(`${plane.url}/incidents?q=hostile`);
      await page.locator('.rows a.row').first().click();
      const votes = page.locator('.vote');
      await votes.first().waitFor();
      await comesTo(t, () => votes.count(), 3);
      for (const [index, words] of [up, down].entries()) {
        const isSaid = async () => words.test(await votes.nth(index).locator('.soft').last().innerText());
        await comesTo(t, isSaid, true, String(words));
      }
      await comesTo(t, () => votes.nth(2).locator('time').count(), 1, 'it is not known what this one had seen');
      await comesTo(t, () => votes.nth(0).locator('time').count(), 2, 'times are elements');
      violations.push(...(await examine(`incident-votes-${language}`)));
      t.notOk(await overflowsPhone(page), 'the votes fit a phone');
      t.same(complaints, []);
      await close();
    }
  });

  await t.test('German pages say why an incident opened in German', async (t) => {
    const { page, complaints, close } = await signedIn('viewer', 'de-DE');
    const words = /^Ablaufdatum des Zertifikats: .*\. Ausgestellt von R11\.$/;
    await page.goto(plane.url);
    // It is among what is broken, and in the last 24 hours.
    await page.getByText(words).first().waitFor();
    await page.goto(`${plane.url}/incidents?kind=certificate`);
    await page.locator('a.row').getByText(words).click();
    await saysSentence(t, page, /^Ausgelöst seit .* \(1 Std\..*\)\. Ablaufdatum des Zertifikats:/);
    await comesTo(t, () => page.locator('.sentence time').count(), 2);
    t.equal(await page.getByText('It expires.').count(), 0);
    t.same(complaints, []);
    await close();
  });

  await t.test('the head says since when, and the incident of a rule what was measured', async (t) => {
    const { page, complaints, examine, close } = await signedIn('member');
    const down = firingIncident(workspaceId, { monitor_name: 'Legacy ERP', message: '', decision: outage() });
    const server = { type: 'server', id: 'srv_01kf5e6q0h3v8r2m9x4t7c1z5n', name: 'web-1' } as const;
    const busy = firingIncident(workspaceId, {
      ...{ kind: 'server', resource: server, monitor_id: null, monitor_name: null, message: 'It is busy.' },
      decision: cpuDecision(),
    });
    await keepLease(t, mongo);
    await mongo.db.collection<IncidentDocument>('incidents').insertMany([down, busy]);
    await page.goto(`${plane.url}/incidents/${down._id}`);
    const heading = page.getByRole('heading', { name: /Legacy ERP has been down since .* \(1 h/ });
    await heading.waitFor();
    const isOneLine = async () => ((await heading.boundingBox())?.height ?? 999) < 48;
    await comesTo(t, isOneLine, true, 'one line at 1,280 px, beside five buttons');
    await page.goto(`${plane.url}/incidents/${busy._id}`);
    await saysSentence(t, page, /^Firing since .* \(1 h.*\)\. CPU: 97\.2 % since/);
    await page
      .getByText(/^The rule “CPU is busy” counted 31 values from .* to .*, among them 91 %, .* and 97\.2 %\.$/)
      .waitFor();
    await page.getByText('The incident opened.').waitFor();
    violations.push(...(await examine('incident-of-a-rule')));
    t.notOk(await overflowsPhone(page), 'the incident of a rule fits a phone');
    t.same(complaints, []);
    await close();
  });

  await t.test('a viewer reads how an incident ended, and changes nothing', async (t) => {
    const { page, complaints, close } = await signedIn('viewer');
    await page.goto(`${plane.url}/incidents?q=mail`);
    await page.locator('.rows a.row').first().click();
    await page.getByText('Picket no longer detects the problem.').waitFor();
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

  async function signedIn(role: 'member' | 'viewer', language?: string): Promise<Visitor> {
    const { cookie } = await storePerson(mongo, workspaceId, role);
    const someone = await visitor(browser, language === undefined ? {} : { language });
    await useSession(someone.page, plane.url, cookie);
    return someone;
  }
});

/** Keeps the lease of the sweep until the end of the test: it resolves an incident without a rule within ten seconds. */
async function keepLease(t: Pick<Test, 'teardown'>, { db }: TestDatabase): Promise<void> {
  const renew = () => {
    const held = { owner: 'this test', until: new Date(Date.now() + LEASE_MS_MAX) };
    return db.collection<{ _id: string }>('leases').updateOne({ _id: 'alert-rules-sweep' }, { $set: held });
  };
  await renew();
  const renewing = setInterval(renew, RENEWED_MS);
  t.teardown(() => clearInterval(renewing));
}

/** Asserts that the page of an incident says this below its head. */
function saysSentence(t: Test, page: Page, words: RegExp): Promise<void> {
  return comesTo(t, async () => words.test(await page.locator('.sentence').innerText()), true, String(words));
}

/** Returns the decision of a rule, in a record that has some of the samples. */
function cpuDecision(): RuleDecisionRecord {
  const sinceMs = Date.now() - HOUR_MS;
  const times = { breaching_since_ms: sinceMs, evaluated_at_ms: sinceMs, opened_at_ms: sinceMs, recovered_at_ms: null };
  return {
    rule: {
      ...{
        id: 'rule_01kf5e6q0h3v8r2m9x4t7c1z5n',
        name: 'CPU is busy',
        version: 1,
        type: 'metric',
        severity: 'warning',
      },
      ...{ metric: 'cpu_percent', operator: 'gt', threshold: 90, for_seconds: 300, within_hours: null },
    },
    ...{ other_rules: [], value: 97.2, forecast: null, times },
    samples: [91, 93.5, 97.2].map((value, index) => ({ at_ms: sinceMs - 300_000 + index * 100_000, value })),
    reason: 'cpu_percent > 90 in each of 31 samples over 300 s',
  };
}

/** Returns the decision of an outage that two of three locations saw. */
function outage(): DecisionRecord {
  const nowMs = Date.now();
  const of = (one: VoteRecord, before?: VoteRecord['before']) => ({ ...one, ...(before && { before }) });
  return decision([
    of(vote('fra', 'down', 'connection_refused'), { status: 'up', at_ms: nowMs - HOUR_MS - 61_000 }),
    of(vote('nyc', 'up'), { status: 'down', at_ms: nowMs - HOUR_MS - 62_000 }),
    vote('sin', 'down', 'connection_refused'),
  ]);
}
