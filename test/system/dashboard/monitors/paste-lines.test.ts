import t from 'tap';
import { comesTo } from '../../../helpers/dashboard/comes-to.js';
import { startWorkspaceInBrowser } from '../../../helpers/dashboard/workspace-in-browser.js';

t.test('pasted monitors get an interval and tags at once, and a wrong line is one press away', async (t) => {
  const world = await startWorkspaceInBrowser();
  t.teardown(() => world.close());
  const { api } = world.plane;
  await api('POST', '/v1/monitors', { name: 'Old', type: 'tcp', url: '127.0.0.1:9', tags: ['shop'] });
  const { page, goto, see, press, examined, complaints, close } = await world.openAsOwner();
  await goto('/monitors/new/lines');
  const field = page.getByLabel('Monitors', { exact: true });
  const lines = Array.from({ length: 100 }, (_, n) => `127.0.0.1:${1_000 + n}`);
  await field.fill([...lines, 'Wrong, shop.example:99999', ...lines].join('\n'));
  await press('Show what will be added');
  await press('Go to line 101');
  const selected =
    'document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)';
  await comesTo(t, () => page.evaluate(selected), 'Wrong, shop.example:99999');
  await comesTo(t, () => page.evaluate('document.activeElement.scrollTop > 200'), true, 'the line is in view');
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /^Incidents/ })
    .first()
    .click();
  await page.getByRole('heading', { name: 'Incidents', level: 1 }).waitFor();
  await page.goBack();
  const isKept = async () => /Wrong, shop\.example:99999/.test(await field.inputValue());
  await comesTo(t, isKept, true, 'what was pasted is kept');
  t.same(await examined('bulk-paste-line'), []);

  await field.fill('127.0.0.1:1001\n127.0.0.1:1002');
  await page.getByLabel('Interval').selectOption({ label: '5 min' });
  await press('shop');
  await press('Show what will be added');
  await press('Back');
  const tags = () => page.getByLabel('Tags of all of them, separated by commas').inputValue();
  await comesTo(t, tags, 'shop', 'it is kept');
  await press('Show what will be added');
  await press('Add 2 monitors');
  await see('2 monitors added.');
  await page.getByRole('link', { name: 'Show the monitors' }).click();
  await page.getByRole('heading', { name: 'Monitors', level: 1, exact: true }).waitFor();
  await page.goBack();
  await comesTo(t, () => field.inputValue(), '', 'the next list begins anew');
  const { body } = await api('GET', '/v1/monitors');
  const added = body.data.filter(({ name }: { name: string }) => name !== 'Old');
  t.equal(added.length, 2);
  for (const one of added) t.match(one, { interval_seconds: 300, tags: ['shop'] });
  t.same(complaints, []);
  await close();
});
