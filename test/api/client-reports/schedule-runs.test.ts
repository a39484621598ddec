import { createHash } from 'node:crypto';
import t, { type Test } from 'tap';
import type { Run, Schedule } from '../../../control-plane/client-reports/schedules/schema.js';
import { DAY_MS, HOUR_MS, NOW, PATH, PUBLIC_URL, startReportsApp } from '../../helpers/client-reports/app.js';
import { textOf } from '../../helpers/client-reports/pdf.js';
import { type ReceivedMail, startMailbox } from '../../helpers/machine/mailbox.js';
import { waitFor } from '../../helpers/wait.js';

const SCHEDULES = `${PATH}/schedules`;
const WAIT_MS_MAX = 60_000;
/** A run that cannot go on is left alone for this long at first. */
const PAUSE_MS = 5_000;
/** The occurrence of the first of February, 08:00 in Berlin. */
const FIRST = Date.UTC(2031, 1, 1, 7);

async function start(t: Test, options: { plan?: 'Free' } = {}) {
  const mailbox = await startMailbox();
  const app = await startReportsApp({ smtpUrl: mailbox.url, ...options });
  t.teardown(async () => {
    await app.stop();
    await mailbox.close();
  });
  const schedule = async (over: Record<string, unknown> = {}) => {
    const body = {
      ...{ name: 'Monthly', cron: '0 8 1 * *', time_zone: 'Europe/Berlin', period: 'previous_month' },
      ...{ recipients: [app.workspace.email], title: 'Website report', client_name: 'Example Ltd', ...over },
    };
    const created = await app.request<Schedule>('POST', SCHEDULES, { body });
    if (created.status !== 201) throw new Error(created.text);
    return created.body.data.id;
  };
  const runs = async (id: string) => (await app.request<Run[]>('GET', `${SCHEDULES}/${id}/runs`)).body.data;
  const january = {
    fromMs: Date.UTC(2031, 0, 19, 23),
    up: Array.from({ length: 24 }, (_, hour) => (hour === 5 ? 0.5 : 1)),
  };
  return {
    ...{ ...app, mailbox, schedule, runs },
    addData: () => app.addMonitor({ name: 'Shop', created_at_ms: Date.UTC(2030, 0, 1) }, january),
    /** Confirms the address of a question, as its page does. */
    confirm: (address: string) =>
      app.mongo.db
        .collection('recipients')
        .updateOne({ address, workspace_id: app.workspace.id }, { $set: { state: 'confirmed' } }),
    /** Makes what is due, generates it, sends it, and notes what became of the mails. */
    async deliver(mails: number) {
      const before = mailbox.mails.length;
      await app.tick();
      for (let round = 0; round < 50; round++) {
        if ((await app.mongo.db.collection('client_reports').countDocuments({ open: true })) === 0) break;
        await app.generate();
      }
      app.clock.jump(PAUSE_MS);
      await app.tick();
      const arrived = await mailbox.arrived(before + mails);
      const settling = () => app.mongo.db.collection('client_report_runs').countDocuments({ settling: true });
      const undelivered = () =>
        app.mongo.db.collection('mails').countDocuments({ state: { $in: ['pending', 'leased'] } });
      await waitFor('the delivery', WAIT_MS_MAX, async () => (await undelivered()) === 0);
      await waitFor('the end of all runs', WAIT_MS_MAX, async () => {
        app.clock.jump(PAUSE_MS);
        await app.tick();
        return (await settling()) === 0;
      });
      return arrived.slice(before);
    },
  };
}

const linkIn = (mail: ReceivedMail | undefined) =>
  /https:\S+\/shared-report\?t=\S+/.exec(mail?.parts['text/plain'] ?? '')?.[0];

/** Returns the attached PDF. */
function attached(mail: ReceivedMail | undefined): Buffer {
  const [, base64 = ''] =
    /Content-Type: application\/pdf[\s\S]*?\r\n\r\n([A-Za-z0-9+/=\r\n]+)/.exec(mail?.raw ?? '') ?? [];
  return Buffer.from(base64, 'base64');
}

t.test('an occurrence is made once and sent with the figures and the PDF of the report', async (t) => {
  const app = await start(t);
  await app.addData();
  const id = await app.schedule();
  await app.tick();
  t.same(await app.runs(id), [], 'nothing is due');
  app.clock.jump(FIRST - NOW + 5_000);
  const [mail, ...others] = await app.deliver(1);
  await app.deliver(0);
  t.same(others, []);
  t.same(mail?.to, [app.workspace.email]);
  const made = await app.runs(id);
  t.match(made, [
    {
      ...{ occurrence: new Date(FIRST).toISOString(), missed: 0, status: 'sent', reason: null, report_id: /^rpt_/ },
      period: { from: '2030-12-31T23:00:00.000Z', to: '2031-01-31T23:00:00.000Z' },
      recipients: [{ email: app.workspace.email, status: 'sent', sent_at: /Z$/ }],
    },
  ]);
  t.equal(made.length, 1);
  const reportId = made[0]?.report_id ?? '';
  const report = await app.find(reportId);
  t.match(report, { schedule_id: id, title: 'Website report', status: 'completed' });
  t.equal(createHash('sha256').update(attached(mail)).digest('hex'), report.sha256, 'the attached file is the report');
  const summary = (await app.content(reportId)).sections[0]?.blocks ?? [];
  const cards = summary.flatMap((block) => (block.type === 'cards' ? block.cards : []));
  t.equal(cards.length, 6);
  const pdf = textOf((await app.download(reportId)).bytes);
  const text = mail?.parts['text/plain'] ?? '';
  for (const { label, value } of cards) {
    t.match(text, `${label}: ${value} (`, 'the mail has the figures of the report');
    t.match(pdf, value, 'so has the PDF');
  }
  t.match(text, 'Uptime: 97.91 %');
  t.equal(mail?.headers['list-unsubscribe'], undefined, 'a member has no way out but the schedule');
});

t.test(
  'who is no member gets one question and then nothing until they confirm; then a one-click way out',
  async (t) => {
    const app = await start(t);
    await app.addData();
    const recipients = ['a@example.net', 'b@example.net'];
    const times = { cron: '0 8 * * *', period: 'last_30_days' };
    const id = await app.schedule({ ...times, recipients, attach: 'link' });
    await app.mailbox.arrived(2);
    app.clock.jump(FIRST - NOW);
    await app.deliver(0);
    t.match(await app.runs(id), [
      {
        status: 'skipped',
        reason: /No recipient has confirmed/,
        recipients: recipients.map((email) => ({ email, status: 'unconfirmed', sent_at: null })),
      },
    ]);
    await app.confirm('b@example.net');
    app.clock.jump(DAY_MS);
    const [mail] = await app.deliver(1);
    t.same(mail?.to, ['b@example.net']);
    t.match(mail?.headers, {
      'list-unsubscribe': /^<https:.*\/stop-emails\?t=.*>$/,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    });
    t.match((await app.runs(id))[0]?.recipients, [
      { email: 'b@example.net', status: 'sent' },
      { email: 'a@example.net', status: 'unconfirmed' },
    ]);
    t.equal(app.mailbox.mails.length, 3, 'two questions and one report');
  },
);

t.test('a link downloads the report for 30 days, and anything else is not found', async (t) => {
  const app = await start(t);
  await app.addData();
  const id = await app.schedule({ attach: 'link' });
  app.clock.jump(FIRST - NOW);
  const [mail] = await app.deliver(1);
  const link = linkIn(mail) ?? '';
  t.ok(link.startsWith(`${PUBLIC_URL}/shared-report?t=`));
  const token = new URL(link).searchParams.get('t') ?? '';
  const stored = JSON.stringify(await app.mongo.db.collection('client_report_runs').find().toArray());
  t.notMatch(stored, token, 'only its hash is stored');
  const open = async (query: string) => {
    const answer = await app.working(() => fetch(`${app.url}/shared-report${query}`));
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const { status, headers, bytes } = await open(`?t=${token}`);
  t.equal(status, 200);
  t.equal(headers.get('content-type'), 'application/pdf');
  t.match(headers.get('content-disposition'), /^attachment; filename="Example Ltd - Website report\.pdf"/);
  t.match(headers.get('x-robots-tag'), /noindex/);
  t.equal(headers.get('cache-control'), 'no-store');
  const reportId = (await app.runs(id))[0]?.report_id ?? '';
  t.equal(createHash('sha256').update(bytes).digest('hex'), (await app.find(reportId)).sha256);
  const wrong = [`?t=${'A'.repeat(43)}`, '?t=short', '', `?t=${token}x`, `?t=${encodeURIComponent('"><script>')}`];
  const answers = new Set<string>();
  for (const query of wrong) {
    const refused = await open(query);
    answers.add(`${refused.status} ${refused.bytes}`);
    t.match(refused.headers.get('x-robots-tag'), /noindex/);
  }
  app.clock.jump(30 * DAY_MS + 1_000);
  const late = await open(`?t=${token}`);
  answers.add(`${late.status} ${late.bytes}`);
  t.equal(answers.size, 1, 'one answer for all of them');
  t.match([...answers][0], /^404 /);
  let limited = await open('?t=wrong');
  for (let sent = 0; sent < 40 && limited.status !== 429; sent++) limited = await open('?t=wrong');
  t.equal(limited.status, 429);
});

t.test('a link ends with its report and with its schedule', async (t) => {
  const app = await start(t);
  await app.addData();
  const sent = async () => {
    const id = await app.schedule({ attach: 'link', cron: '0 8 * * *' });
    app.clock.jump(DAY_MS);
    const [mail] = await app.deliver(1);
    await app.request('PATCH', `${SCHEDULES}/${id}`, { body: { enabled: false } });
    return { id, token: new URL(linkIn(mail) ?? '').searchParams.get('t') };
  };
  const status = async (token: string | null) =>
    (await app.working(() => fetch(`${app.url}/shared-report?t=${token}`))).status;
  app.clock.jump(HOUR_MS * 12);
  const first = await sent();
  t.equal(await status(first.token), 200);
  t.equal((await app.request('DELETE', `${PATH}/${(await app.runs(first.id))[0]?.report_id}`)).status, 204);
  t.equal(await status(first.token), 404);
  const second = await sent();
  t.equal(await status(second.token), 200);
  t.equal((await app.request('DELETE', `${SCHEDULES}/${second.id}`)).status, 204);
  t.equal(await status(second.token), 404);
});

t.test('of occurrences that were missed, only the latest is made, and the history says so', async (t) => {
  const app = await start(t);
  await app.addData();
  const id = await app.schedule({ cron: '0 8 * * *', period: 'last_30_days' });
  app.clock.jump(4 * DAY_MS);
  await app.deliver(1);
  t.match(await app.runs(id), [{ occurrence: '2031-02-04T07:00:00.000Z', missed: 3, status: 'sent' }]);
  t.equal((await app.runs(id)).length, 1);
});

t.test('nothing is made without data, in a stopped workspace, or by a paused schedule', async (t) => {
  const app = await start(t);
  const empty = await app.schedule();
  const paused = await app.schedule({ enabled: false });
  app.clock.jump(FIRST - NOW);
  await app.deliver(0);
  t.match(await app.runs(empty), [{ status: 'skipped', reason: 'There is no data of the period.', report_id: null }]);
  t.same(await app.runs(paused), []);
  app.clock.jump(28 * DAY_MS);
  await app.tick({ stopped: true });
  const [stopped] = await app.runs(empty);
  t.match(stopped, { status: 'skipped', reason: 'The workspace was stopped.' });
  const shown = async (path = '') => (await app.request<Schedule>('GET', `${SCHEDULES}${path}`)).body.data;
  t.same((await shown(`/${empty}`)).last_run, stopped, 'a schedule has its newest run');
  t.equal((await shown(`/${paused}`)).last_run, null);
  t.match(await shown(), [
    { id: paused, last_run: null },
    { id: empty, last_run: stopped },
  ]);
  t.equal(await app.mongo.db.collection('client_reports').countDocuments(), 0, 'no report was made or counted');
  t.same(app.mailbox.mails, []);
});

t.test('when the plan allows no further report this month, the history says so', async (t) => {
  const app = await start(t, { plan: 'Free' });
  await app.addData();
  const id = await app.schedule({ cron: '0 8 * * *', period: 'last_30_days' });
  app.clock.jump(DAY_MS);
  await app.deliver(1);
  app.clock.jump(DAY_MS);
  await app.deliver(0);
  t.match(await app.runs(id), [
    { status: 'skipped', reason: /Free plan allows 1 report a month/, report_id: null },
    { status: 'sent' },
  ]);
});

t.test('two control planes at once make and send an occurrence once', async (t) => {
  const app = await start(t);
  await app.addData();
  const id = await app.schedule();
  const [due] = await app.mongo.db.collection('client_report_schedules').find().toArray();
  app.clock.jump(FIRST - NOW);
  await app.deliver(1);
  // The other one read the schedule before the first one advanced it.
  await app.mongo.db.collection('client_report_schedules').updateOne({}, { $set: { next_at_ms: due?.['next_at_ms'] } });
  await app.deliver(0);
  t.equal((await app.runs(id)).length, 1, 'the occurrence is the key of its run');
  t.equal(await app.mongo.db.collection('client_reports').countDocuments(), 1);
  t.equal(app.mailbox.mails.length, 1);
});

t.test('the history is read in pages, the newest first', async (t) => {
  const app = await start(t);
  const id = await app.schedule({ cron: '0 8 * * *' });
  for (let day = 0; day < 3; day++) {
    app.clock.jump(DAY_MS);
    await app.tick();
  }
  const seen: string[] = [];
  let cursor = '';
  do {
    const page = await app.request<Run[]>('GET', `${SCHEDULES}/${id}/runs?limit=2${cursor}`);
    seen.push(...page.body.data.map(({ occurrence }) => occurrence.slice(0, 10)));
    cursor = page.body.next_cursor == null ? '' : `&cursor=${page.body.next_cursor}`;
  } while (cursor !== '');
  t.same(seen, ['2031-02-03', '2031-02-02', '2031-02-01']);
});
