import t from 'tap';
import { systemActor } from '../../../control-plane/actor.js';
import { reserveMonitors } from '../../../control-plane/monitors/create.js';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { monitorActions } from '../../helpers/monitors/actions.js';
import { startMonitorsApp } from '../../helpers/monitors/app.js';

const QUOTA = 50_000;
/** No transaction is given up because the machine is slow. */
const HOUR_MS = 3_600_000;
/** The most of one import. */
const MANY = 2_000;

const app = await startMonitorsApp();
t.teardown(() => app.stop());
const { create, stored, monitors } = monitorActions(app);
const template = await stored((await create()).id);
const actor = systemActor({ ...app.workspace, name: 'W', plan: 'Enterprise' }, 'req_1');
const runTransaction = createRunTransaction(app.mongo.client, { transactionMs: HOUR_MS, commitMs: HOUR_MS });
let made = 0;
const document = (): MonitorDocument => ({ ...template, _id: `mon_${String(made++).padStart(26, '0')}` });

/** Creates monitors in transactions of which none ends before all have counted what is there. */
async function together(counts: readonly number[]): Promise<string[]> {
  let counted = 0;
  let release = () => {};
  const all = new Promise<void>((resolve) => {
    release = resolve;
  });
  const arrived = () => {
    counted += 1;
    if (counted >= counts.length) release();
  };
  const one = (adding: number) =>
    runTransaction(async (tx) => {
      await reserveMonitors(app.context, tx, actor, adding).finally(arrived);
      await all;
      await monitors.insertMany(
        Array.from({ length: adding }, () => document()),
        { session: tx.session },
      );
    });
  const ends = await Promise.allSettled(counts.map(one));
  return ends.map((end) => (end.status === 'fulfilled' ? 'created' : end.reason.code)).sort();
}

t.test('imports at once do not exceed the monitors of the plan', async (t) => {
  const present = async () => monitors.countDocuments({ workspace_id: app.workspace.id });
  // Further from the limit than what one of them adds.
  const before = QUOTA - MANY - 1_000;
  const fill = before - (await present());
  await monitors.insertMany(
    Array.from({ length: fill }, () => ({ _id: document()._id, workspace_id: app.workspace.id }) as MonitorDocument),
  );
  t.same(await together([MANY, MANY]), ['created', 'plan_limit']);
  t.equal(await present(), before + MANY);
  t.comment('an import and single ones');
  await monitors.deleteMany({ url: template.url, _id: { $ne: template._id } });
  const room = QUOTA - (await present());
  await monitors.insertMany(Array.from({ length: room - MANY }, () => document()));
  t.match(await together([MANY, 1]), ['created', 'plan_limit']);
  t.ok((await present()) <= QUOTA);
});
