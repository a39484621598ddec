import t from 'tap';
import { comesTo } from '../../../helpers/dashboard/comes-to.js';
import { startWorkspaceInBrowser } from '../../../helpers/dashboard/workspace-in-browser.js';
import { deadlineMs } from '../../../helpers/deadline.js';
import { startControlPlane } from '../../../helpers/processes/control-plane.js';
import { requestAs, storePerson, storeWorkspace } from '../../../helpers/team/people.js';
import { waitFor } from '../../../helpers/wait.js';

const TASK = 'servers-offline';

interface Plane {
  id: string;
  state: string;
  ok: boolean;
  tasks: string[];
}

t.test('operators see how Picket itself is, and what needs a look', async (t) => {
  const scene = await startWorkspaceInBrowser();
  const { plane, mongo, workspaceId } = scene;
  const other = await startControlPlane(mongo.uri, { PICKET_DATA_DIR: plane.dataDir });
  t.teardown(async () => {
    await other.stop();
    await scene.close();
  });
  const read = async () => (await plane.api('GET', '/v1/admin/health')).body.data;
  const planes = async (): Promise<Plane[]> => (await read()).control_planes;
  const violations: string[] = [];

  await t.test('the API: control planes, the database, what waits', async (t) => {
    // A control plane begins its tasks some seconds after its start; this one is held all the time from then on.
    await waitFor('two control planes, and one of them looks for servers that are offline', 60_000, async () => {
      const found = await planes();
      return found.length === 2 && found.some(({ tasks }) => tasks.includes(TASK));
    });
    // A busy machine can be late with a heartbeat, or with a task, which the other control plane then takes over.
    const states = async () => (await planes()).map(({ state }) => state);
    await comesTo(t, states, ['running', 'running']);
    const doneTwice = async () => {
      const tasks = (await planes()).flatMap((one) => one.tasks);
      return tasks.filter((task, index) => tasks.indexOf(task) !== index);
    };
    await comesTo(t, doneTwice, [], 'one control plane at a time does a task');
    const { database, backlogs } = await read();
    t.equal(database.members[0].state, 'PRIMARY');
    t.same(
      backlogs.map(({ name }: { name: string }) => name),
      [
        'mails',
        'audit_forwarding',
        'notifications',
        'bulk_changes',
        'results',
        'client_reports',
        'status_page_updates',
      ],
    );
    const statusFor = async (workspace: string) => {
      const { key } = await storePerson(mongo, workspace, 'owner');
      return (await requestAs(plane.url, key, ['GET', '/v1/admin/health'])).status;
    };
    t.equal(await statusFor(workspaceId), 200, 'for every owner of the first workspace');
    t.equal(await statusFor(await storeWorkspace(mongo)), 404, 'not for owners of others');
  });

  await t.test('a notification that is due for long needs a look', async (t) => {
    const outbox = mongo.db.collection<{ _id: string }>('outbox');
    const dueMs = Date.now() - 3_600_000;
    await outbox.insertOne({
      ...{ _id: 'late', state: 'pending', channel_id: 'chn_gone', next_attempt_ms: dueMs, incident_id: 'inc_1' },
      // Nothing delivers it before this.
      ...{ workspace_id: 'ws_gone', sequence: 1, fence: 0, attempts: 0 },
    } as { _id: string });
    const { backlogs } = await read();
    const found = backlogs.find(({ name }: { name: string }) => name === 'notifications');
    await outbox.deleteOne({ _id: 'late' });
    t.match(found, { waiting: 1, has_more: false, late_seconds: 60, ok: false });
    t.ok(found.oldest_seconds >= 3_600);
  });

  await t.test('a control plane that is killed, and a location without a probe, say so', async (t) => {
    const owner = await scene.openAsOwner();
    const { page, see } = owner;
    await owner.goto('/settings/health');
    const rows = page.getByRole('list', { name: 'Control planes' }).getByRole('listitem');
    await waitFor('two rows', 30_000, async () => (await rows.count()) === 2);
    await rows.first().getByText('OK', { exact: true }).waitFor();
    const tasks = page.getByText(TASK).first();
    await tasks.waitFor({ state: 'attached' });
    t.notOk(await tasks.isVisible(), 'names of tasks mean nothing to most');
    await page.getByText('Their names in the log').first().click();
    await page.locator('details[open]').first().waitFor();
    await other.kill();
    await waitFor('the killed one is lost', 60_000, async () =>
      (await planes()).some(({ state, ok }) => state === 'lost' && !ok),
    );
    const lost = rows.filter({ hasText: 'Not heard since' });
    await lost.waitFor({ timeout: deadlineMs(60_000) });
    await lost.getByText('Look at it').waitFor();
    await see(/The primary member answered in /);
    await see('No notification waits.');
    const frankfurt = page
      .getByRole('list', { name: 'Locations' })
      .getByRole('listitem')
      .filter({ hasText: 'Frankfurt has no connected probe, so nothing is checked from here.' });
    await frankfurt.getByText('Look at it').waitFor();
    violations.push(...(await owner.examined('health-lost')));
    t.same(owner.complaints, []);
    await owner.close();
    const german = await scene.openAsOwner({ language: 'de' });
    await german.goto('/settings/health');
    await german.see(/^Nicht mehr gehört seit/);
    await german.see('Keine Benachrichtigung wartet.');
    violations.push(...(await german.examined('health-german')));
    await german.close();
  });

  t.same(violations, [], 'it breaks no rule of accessibility and fits a phone');
});
