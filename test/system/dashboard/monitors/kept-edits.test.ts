import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { comesTo } from '../../../helpers/dashboard/comes-to.js';
import { startWorkspaceInBrowser } from '../../../helpers/dashboard/workspace-in-browser.js';
import { deadlineMs } from '../../../helpers/deadline.js';
import { waitFor } from '../../../helpers/wait.js';

const KEPT = 'You changed this earlier and did not save it. Your changes are still here.';

t.test('what is typed into a form of something stored is kept while another page is open', async (t) => {
  const world = await startWorkspaceInBrowser();
  t.teardown(() => world.close());
  const { api } = world.plane;
  const hook = { type: 'webhook', name: 'Hook', config: { url: 'http://127.0.0.1:8080/hook' } };
  const offline = { name: 'Gone', type: 'server_offline' };
  const made = async (path: string, body: object) => (await api('POST', path, body)).body.data.id as string;
  const id = await made('/v1/monitors', { name: 'Shop', type: 'tcp', url: '127.0.0.1:9' });
  const channel = `/settings/channels/${await made('/v1/channels', hook)}`;
  const rule = `/settings/alert-rules/${await made('/v1/alert-rules', offline)}`;
  const edit = `/monitors/${id}/edit`;
  const { page, goto, see, press, examined, complaints } = await world.openAsOwner();
  const name = page.getByLabel('Name', { exact: true });
  const shows = (t: Test, text: string) => comesTo(t, () => name.inputValue(), text);
  const leave = async () => {
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Incidents/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Incidents', level: 1 }).waitFor();
  };
  const leaveAndComeBack = async () => {
    await leave();
    await page.goBack();
    await name.waitFor();
  };

  for (const [path, stored] of [
    [edit, 'Shop'],
    [channel, 'Hook'],
    [rule, 'Gone'],
  ] as const) {
    await t.test(`${stored}: it is there again, and can be discarded`, async (t) => {
      await goto(path);
      await name.fill('Typed');
      t.equal(await page.getByText(KEPT).count(), 0, 'nobody has to be told what they type');
      await leaveAndComeBack();
      await see(KEPT);
      await shows(t, 'Typed');
      t.same(await examined(`kept-${stored}`), []);
      await press('Discard them');
      await shows(t, stored);
      // The first field has the focus.
      await name.and(page.locator(':focus')).waitFor();
      await page.keyboard.press('End');
      await page.keyboard.type('!');
      await shows(t, `${stored}!`);
      t.equal(await page.getByText(KEPT).count(), 0, 'what is typed now is not from earlier');
      await name.fill(stored);
      await leaveAndComeBack();
      await shows(t, stored);
      t.equal(await page.getByText(KEPT).count(), 0);
    });
  }

  await t.test('whoever cancels or saves begins anew', async (t) => {
    await goto(channel);
    await name.fill('Not wanted');
    await page.getByRole('link', { name: 'Cancel', exact: true }).click();
    await page.getByRole('link', { name: 'Hook', exact: true }).click();
    await shows(t, 'Hook');
    await name.fill('New hook');
    await press('Save');
    await page.getByRole('heading', { name: 'New hook' }).waitFor();
    await leaveAndComeBack();
    t.equal(await page.getByText(KEPT).count(), 0);
  });

  for (const [path, label, field, minutes] of [
    [channel, 'Notify after (minutes)', 'delay_minutes', (count: number) => count],
    [rule, 'Additional duration (minutes)', 'for_seconds', (count: number) => count * 60],
  ] as const) {
    await t.test(`${field}: what somebody else changes in another field stays`, async (t) => {
      const stored = `/v1${path.replace('/settings', '')}`;
      const change = async (count: number) =>
        t.equal((await api('PATCH', stored, { [field]: minutes(count) })).status, 200);
      const showsMinutes = (count: number) => comesTo(t, () => page.getByLabel(label).inputValue(), String(count));
      await goto(path);
      await name.fill('Of mine');
      await leave();
      await change(10);
      await page.goBack();
      await showsMinutes(10);
      await shows(t, 'Of mine');
      // Also while the form is open.
      await change(15);
      await showsMinutes(15);
      await shows(t, 'Of mine');
      await press('Save');
      await page.getByRole('heading', { name: 'Of mine' }).waitFor();
      t.match((await api('GET', stored)).body.data, { name: 'Of mine', [field]: minutes(15) });
    });
  }

  await t.test('what somebody else changed meanwhile is a choice', async (t) => {
    await goto(edit);
    await name.fill('Mine');
    await leave();
    t.equal((await api('PATCH', `/v1/monitors/${id}`, { name: 'Theirs', retries: 2 })).status, 200);
    await page.goBack();
    await see('Somebody else changed this meanwhile');
    await shows(t, 'Mine');
    const choice = (field: string, text: string) =>
      page.getByRole('group', { name: new RegExp(`^${field}`) }).getByLabel(text);
    await choice('Retries', 'Keep as it was').check();
    await leaveAndComeBack();
    await see('Somebody else changed this meanwhile');
    await shows(t, 'Mine');
    const isChosen = () => choice('Retries', 'Keep as it was').isChecked();
    await comesTo(t, isChosen, true, 'what was chosen stays chosen');
    await choice('Name', 'Take theirs').check();
    await shows(t, 'Theirs');
  });

  const { isAsking, asks, asksNoMore } = await questionsOf(page);

  await t.test('the browser asks before it loads the page again, whichever page is open', async (t) => {
    const reload = () => void page.evaluate('location.reload()').catch(() => {});
    await goto(edit);
    await name.fill('Unsaved');
    // Everywhere else the visitor leaves.
    page.removeAllListeners('dialog');
    const isRefused = async (message: string) => {
      const asked = page.waitForEvent('dialog');
      reload();
      const dialog = await asked;
      t.equal(dialog.type(), 'beforeunload', message);
      await dialog.dismiss();
    };
    await isRefused('the form is open');
    await shows(t, 'Unsaved');
    await leave();
    await isRefused('another page is open');
    await page.goBack();
    await see(KEPT);
    await shows(t, 'Unsaved');
    await press('Discard them');
    await leave();
    let questions = 0;
    page.on('dialog', async (question) => {
      questions += 1;
      await question.accept();
    });
    await page.reload();
    await page.getByRole('heading', { name: 'Incidents', level: 1 }).waitFor();
    t.equal(questions, 0, 'nothing is changed');
  });

  await t.test('whoever stays because something is not saved keeps the language', async (t) => {
    page.removeAllListeners('dialog');
    const chooseGerman = async () => {
      await goto(edit);
      await name.fill('Unsaved');
      await asks();
      await page.getByRole('button', { name: /^Account/ }).click();
      const asked = page.waitForEvent('dialog');
      // It lasts until the question is answered.
      const pressed = page.getByRole('button', { name: 'Deutsch', exact: true }).click();
      return { dialog: await asked, pressed };
    };
    const stored = () => page.evaluate("localStorage.getItem('picket.language')");
    const { dialog, pressed } = await chooseGerman();
    await dialog.dismiss();
    await pressed;
    t.equal(await stored(), null);
    await page.keyboard.press('Escape');
    const asked = page.waitForEvent('dialog');
    void page.evaluate('location.reload()').catch(() => {});
    await (await asked).accept();
    await waitFor('the page again', 30_000, async () => (await name.inputValue()) !== 'Unsaved');
    t.equal(await stored(), null, 'also when the page is left later');
    const again = await chooseGerman();
    await again.dialog.accept();
    await again.pressed.catch(() => {});
    await page.locator('html[lang=de]').waitFor();
    await comesTo(t, stored, 'de');
    await page.evaluate("localStorage.removeItem('picket.language')");
    page.on('dialog', (question) => question.accept());
  });

  await t.test('nothing listens once there is nothing to lose', async (t) => {
    const cancel = page.getByRole('link', { name: 'Cancel', exact: true });
    await goto(channel);
    await name.waitFor();
    t.notOk(await isAsking(), 'nothing was typed');
    await name.fill('Saved hook');
    await asks();
    await press('Save');
    await page.getByRole('heading', { name: 'Saved hook' }).waitFor();
    await asksNoMore();
    await name.fill('Cancelled hook');
    await asks();
    await cancel.click();
    await asksNoMore();
    await goto('/settings/channels/new');
    await page.getByLabel('Type').selectOption('webhook');
    await page.getByLabel('URL').waitFor();
    t.notOk(await isAsking(), 'a choice is made again in a moment');
    await name.fill('New hook');
    await asks();
    await leave();
    await asks();
    await page.goBack();
    await cancel.click();
    await asksNoMore();
  });

  for (const path of [channel, edit]) {
    await t.test(`${path}: "Cancel" in another tab leaves the form as it is`, async (t) => {
      await goto(path);
      await name.fill('Still here');
      await asks();
      const opened = page.context().waitForEvent('page');
      await page.getByRole('link', { name: 'Cancel', exact: true }).click({ modifiers: ['ControlOrMeta'] });
      await (await opened).close();
      await page.bringToFront();
      await shows(t, 'Still here');
      await asks();
      await leaveAndComeBack();
      await shows(t, 'Still here');
      await press('Discard them');
      await asksNoMore();
    });
  }

  await t.test('what is deleted takes with it what was typed', async () => {
    await goto(rule);
    await name.fill('Deleted rule');
    await asks();
    await press('Delete');
    await page.getByRole('heading', { name: 'Alert rules', level: 1 }).waitFor();
    await asksNoMore();
    await goto(edit);
    await name.fill('Deleted monitor');
    await asks();
    await page.getByRole('navigation').getByRole('link', { name: 'Monitors', exact: true }).first().click();
    await page.locator('.monitor-row').click();
    await press('Delete');
    await asksNoMore();
  });

  await t.test('what somebody else deletes is forgotten where it is missed', async (t) => {
    const another = async () => made('/v1/monitors', { name: 'Another', type: 'tcp', url: '127.0.0.1:9' });
    const remove = async (path: string) => t.equal((await api('DELETE', path)).status, 204);
    const noSuch = page.getByText('This monitor does not exist.');
    const open = async (one: string) => {
      await goto(`/monitors/${one}/edit`);
      await name.fill('Typed');
      await asks();
    };

    const closed = await another();
    await open(closed);
    await leave();
    await remove(`/v1/monitors/${closed}`);
    // Nobody has looked.
    await asks();
    await page.goBack();
    await noSuch.waitFor();
    await asksNoMore();

    const opened = await another();
    await open(opened);
    await remove(`/v1/monitors/${opened}`);
    await see('Somebody deleted this monitor, so nothing can be saved.');
    await shows(t, 'Typed');
    // It can still be copied.
    await asks();
    await leave();
    await asksNoMore();
    await page.goBack();
    await noSuch.waitFor();

    const other = await made('/v1/channels', { ...hook, name: 'Other' });
    await goto(`/settings/channels/${other}`);
    await name.fill('Typed');
    await asks();
    const missed = page.waitForResponse(
      (response) => response.url().endsWith(`/v1/channels/${other}`) && response.status() === 404,
    );
    await remove(`/v1/channels/${other}`);
    await missed;
    await waitFor('the page does not ask any more', 60_000, async () => {
      await leave();
      if (!(await isAsking())) return true;
      await page.goBack();
      await name.waitFor();
      return false;
    });
  });

  await t.test('who may not change it any more is not asked', async (t) => {
    const member = await world.openAs('member');
    const questions = await questionsOf(member.page);
    const own = await made('/v1/monitors', { name: 'Of members', type: 'tcp', url: '127.0.0.1:9' });
    await member.goto(`/monitors/${own}/edit`);
    await member.page.getByLabel('Name', { exact: true }).fill('Typed');
    await questions.asks();
    const { db } = world.mongo;
    const user = await db.collection<{ _id: string }>('users').findOne({ email: member.email });
    await db.collection('memberships').updateOne({ user_id: user?._id }, { $set: { role: 'viewer' } });
    const refused = member.page.waitForResponse((response) => response.request().method() === 'PATCH');
    await member.press('Save');
    t.equal((await refused).status(), 403);
    // The event makes the page read who the person is.
    t.equal((await api('PATCH', '/v1/workspace', { name: 'Renamed' })).status, 200);
    await member.page.getByText('Your role may not change monitors.').waitFor({ timeout: deadlineMs(90_000) });
    await questions.asksNoMore();
    t.same(member.complaints, []);
    await member.close();
  });

  await t.test('a log-out asks nothing', async (t) => {
    await goto(channel);
    await name.fill('Logged out');
    await leave();
    await asks();
    let questions = 0;
    page.on('dialog', () => {
      questions += 1;
    });
    await page.getByRole('button', { name: /^Account/ }).click();
    await press('Log out');
    await page.getByLabel('E-mail address').waitFor();
    t.equal(questions, 0);
  });

  t.same(complaints, []);
});

/** Returns what says whether a page asks before it is left. */
async function questionsOf(page: Page) {
  const devTools = await page.context().newCDPSession(page);
  /** Whether the page listens to being left. The router always does, in the capture phase, and never asks. */
  const isAsking = async () => {
    const { result } = await devTools.send('Runtime.evaluate', { expression: 'window' });
    const { listeners } = await devTools.send('DOMDebugger.getEventListeners', { objectId: result.objectId ?? '' });
    return listeners.some(({ type, useCapture }) => type === 'beforeunload' && !useCapture);
  };
  return {
    isAsking,
    asks: () => waitFor('the page asks', 30_000, isAsking),
    asksNoMore: () => waitFor('the page does not ask', 30_000, async () => !(await isAsking())),
  };
}
