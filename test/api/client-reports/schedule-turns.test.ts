import t from 'tap';
import type { RunDocument, ScheduleDocument } from '../../../control-plane/client-reports/schedules/documents.js';
import type { Schedule } from '../../../control-plane/client-reports/schedules/schema.js';
import { DAY_MS, NOW, PATH, startReportsApp } from '../../helpers/client-reports/app.js';
import { startMailbox } from '../../helpers/machine/mailbox.js';

const SCHEDULES = `${PATH}/schedules`;
const FIRST = Date.UTC(2031, 1, 1, 8);
const mailbox = await startMailbox();
const app = await startReportsApp({ smtpUrl: mailbox.url });
t.teardown(async () => {
  await app.stop();
  await mailbox.close();
});
const schedules = app.mongo.db.collection<ScheduleDocument>('client_report_schedules');
const runs = app.mongo.db.collection<RunDocument>('client_report_runs');
const mails = app.mongo.db.collection<{ _id: string; state: string; finished_ms: number | null }>('mails');
const reports = app.mongo.db.collection<{ _id: string; status: string; workspace_id: string }>('client_reports');

async function scheduled(over: Record<string, unknown> = {}) {
  const body = {
    ...{ name: 'Daily', cron: '0 8 * * *', period: 'last_7_days', recipients: [app.workspace.email] },
    ...{ title: 'Website report', client_name: 'Example Ltd', ...over },
  };
  return (await app.request<Schedule>('POST', SCHEDULES, { body })).body.data.id;
}
const id = await scheduled();
app.clock.jump(FIRST - NOW);
await app.tick();
const template = (await runs.findOne()) as RunDocument;
const schedule = (await schedules.findOne()) as ScheduleDocument;

t.beforeEach(async () => {
  await Promise.all([runs.deleteMany({}), schedules.deleteMany({}), mails.deleteMany({}), reports.deleteMany({})]);
});

/** Stores open or settling runs of a workspace. Those of `ws_a` are the oldest. */
async function waiting(workspace_id: string, count: number, over: Partial<RunDocument>) {
  const rows = Array.from({ length: count }, (_, index): RunDocument => {
    const _id = `sch_${workspace_id}/${String(index).padStart(4, '0')}`;
    const occurrence_ms = (workspace_id === 'ws_a' ? 1 : 2) + index;
    const times = { occurrence_ms, next_at_ms: 0, finished_at_ms: null };
    return { ...template, ...times, _id, workspace_id, schedule_id: `sch_${workspace_id}`, ...over };
  });
  await runs.insertMany(rows);
}
const OPEN = { status: 'generating', reason: null, open: true } as const;

t.test('the due schedules of one workspace do not keep those of another one waiting', async (t) => {
  const due = (workspace_id: string, index: number): ScheduleDocument => {
    const next_at_ms = FIRST - (workspace_id === 'ws_a' ? 1 : 0);
    return { ...schedule, _id: `sch_${workspace_id}${index}`, workspace_id, next_at_ms: next_at_ms - DAY_MS };
  };
  await schedules.insertMany([
    ...Array.from({ length: 250 }, (_, index) => due('ws_a', index)),
    ...[due('ws_b', 0), due('ws_b', 1), due('ws_c', 0)],
  ]);
  await app.tick();
  const order = (await runs.find().sort({ $natural: 1 }).toArray()).map(({ workspace_id }) => workspace_id);
  t.same(order.slice(0, 6), ['ws_a', 'ws_b', 'ws_c', 'ws_a', 'ws_b', 'ws_a'], 'one of each workspace at a time');
  t.equal(order.length, 253, 'and all of them');
});

t.test('runs that wait for their report do not keep others in front of them', async (t) => {
  await reports.insertOne({ _id: 'rpt_slow', status: 'generating', workspace_id: 'ws_a' });
  await waiting('ws_a', 250, { ...OPEN, report_id: 'rpt_slow' });
  await waiting('ws_b', 2, { ...OPEN, report_id: null });
  await app.tick();
  const open = await runs.find({ open: true }).toArray();
  t.same([...new Set(open.map(({ workspace_id }) => workspace_id))], ['ws_a'], 'those of the other one ended');
  t.equal(open.length, 250);
  t.ok(
    open.every(({ next_at_ms = 0 }) => next_at_ms > app.clock.now()),
    'they are looked at later',
  );
});

t.test('a run that fails is postponed', async (t) => {
  const completed = { status: 'completed', size_bytes: 1, data_bytes: 1, content_bytes: 1, sha256: '', pages: 1 };
  // The files of the report are missing.
  await reports.insertOne({
    _id: 'rpt_lost',
    workspace_id: app.workspace.id,
    ...completed,
    completed_at_ms: 1,
  } as never);
  await schedules.insertOne({ ...schedule, next_at_ms: FIRST + DAY_MS });
  await waiting(app.workspace.id, 1, { schedule_id: schedule._id, ...OPEN, report_id: 'rpt_lost' });
  await app.tick();
  const [run] = await runs.find().toArray();
  t.match(run, { open: true, next_at_ms: app.clock.now() + 60_000 });
});

t.test('what became of mails is noted in turns, and a mail that is gone is unknown', async (t) => {
  const to = (mail_id: string) => ({ address: 'a@example.net', status: 'queued' as const, sent_at_ms: null, mail_id });
  const sent = { status: 'sent', settling: true, finished_at_ms: app.clock.now() } as const;
  await mails.insertMany([
    { _id: 'mail_waits', state: 'leased', finished_ms: null },
    { _id: 'mail_sent', state: 'sent', finished_ms: 5 },
  ]);
  await waiting('ws_a', 250, { ...sent, recipients: [to('mail_waits')] });
  await waiting('ws_b', 1, { ...sent, recipients: [to('mail_sent'), to('mail_gone'), to('mail_waits')] });
  await waiting('ws_c', 1, { ...sent, recipients: [to('mail_gone')] });
  await app.tick();
  const of = async (workspace_id: string) => runs.findOne({ workspace_id });
  t.match((await of('ws_b'))?.recipients, [
    ...[{ status: 'sent', sent_at_ms: 5 }, { status: 'unknown', sent_at_ms: null }, { status: 'queued' }],
  ]);
  t.notOk((await of('ws_c'))?.settling);
  t.equal(await runs.countDocuments({ settling: true, next_at_ms: { $gt: app.clock.now() } }), 251);
});

t.test('a round reaches all workspaces, however many there are', async (t) => {
  const rows = Array.from({ length: 450 }, (_, index): RunDocument => {
    const workspace_id = `ws_${String(index).padStart(4, '0')}`;
    return { ...template, ...OPEN, _id: `sch_${index}/1`, workspace_id, report_id: null, next_at_ms: index };
  });
  await runs.insertMany(rows);
  await app.tick();
  t.equal(await runs.countDocuments({ open: true }), 0);
});

t.test('an occurrence that a fast clock has made counts as made', async (t) => {
  await schedules.insertOne({ ...schedule, _id: id, next_at_ms: FIRST });
  await runs.insertOne({ ...template, reason: 'made by the fast clock' });
  await app.tick();
  t.match(await runs.find().toArray(), [{ reason: 'made by the fast clock' }]);
  t.match(await schedules.findOne(), { next_at_ms: FIRST + DAY_MS, retry_at_ms: 0 });
});
