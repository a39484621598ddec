import type { Page } from 'playwright-core';
import t from 'tap';
import { comesTo } from '../../../helpers/dashboard/comes-to.js';
import { type SignedIn, startWorkspaceInBrowser } from '../../../helpers/dashboard/workspace-in-browser.js';
import { requestAs } from '../../../helpers/team/people.js';

const world = await startWorkspaceInBrowser();
t.teardown(() => world.close());
const dialog = (page: Page, title = 'You were logged out') => page.getByRole('dialog', { name: title });
const violations: string[] = [];
const complaints: string[] = [];

t.test('a page whose session has ended keeps what was typed, and goes on after the log-in', async (t) => {
  const ann = await filledForm({});
  const { page } = ann;
  await endSessions();
  // The stream says so by itself.
  await dialog(page).waitFor();
  violations.push(...(await ann.examined('logged-out')));
  await ann.press('I have logged in, go on');
  await ann.see('You are not logged in yet.');
  violations.push(...(await ann.examined('logged-out-still')));
  const opened = page.context().waitForEvent('page');
  await dialog(page).getByRole('link', { name: 'Log in in a new tab' }).click();
  const other = await opened;
  await logInAt(other);
  await other.getByText('Close this tab, and go on in the one that you came from.').waitFor();
  await dialog(page).waitFor({ state: 'detached' });
  t.equal(await page.getByLabel('Name').inputValue(), 'Night shift');
  const focused = () => page.locator('input:focus').inputValue();
  await comesTo(t, focused, 'https://hooks.example/night', 'the focus is where it was');
  await page.locator('.live').getByText('Live', { exact: true }).waitFor();
  await ann.press('Add channel');
  await ann.see('The channel is saved and on.');
  complaints.push(...ann.complaints);
  await ann.close();
});

t.test('what was refused is done after the log-in, without another press', async (t) => {
  const ann = await filledForm({ withoutStream: true });
  const { page } = ann;
  await endSessions();
  await ann.press('Add channel');
  await dialog(page).waitFor();
  const other = await page.context().newPage();
  await other.goto(`${world.plane.url}/login`);
  await logInAt(other);
  await other.waitForURL((url) => url.pathname !== '/login');
  await ann.press('I have logged in, go on');
  await ann.see('The channel is saved and on.');
  t.equal(await nightShifts(), 2);
  await ann.close();
});

t.test('who does not log in can read the page, and is asked again when something is to be done', async (t) => {
  const ann = await filledForm({ withoutStream: true });
  const { page } = ann;
  await endSessions();
  await ann.press('Add channel');
  await dialog(page).waitFor();
  await ann.press('Not now');
  await ann.see('Your session has ended. Log in again, then repeat it.');
  t.equal(await page.getByLabel('Name').inputValue(), 'Night shift', 'what was typed is kept');
  await page.waitForResponse((response) => response.status() === 401);
  t.equal(await dialog(page).count(), 0, 'what the page reads by itself does not ask');
  await page.getByRole('link', { name: /^Incidents/ }).click();
  await dialog(page).waitFor();
  await ann.close();
});

t.test('who logs in later, in another tab, finds the page live', async (t) => {
  const ann = await filledForm({});
  const { page } = ann;
  await endSessions();
  await dialog(page).waitFor();
  await ann.press('Not now');
  await page.getByText(/^Logged out, data from \d\d:\d\d:\d\d/).waitFor();
  t.equal(await page.getByText(/^Reconnecting/).count(), 0, 'the connection is not what is wrong');
  violations.push(...(await ann.examined('logged-out-later')));
  const opened = page.context().waitForEvent('page');
  await page.locator('.live').getByRole('link', { name: 'Log in', exact: true }).click();
  await logInAt(await opened);
  await page.locator('.live').getByText('Live', { exact: true }).waitFor();
  t.equal(await page.getByLabel('Name').inputValue(), 'Night shift');
  await ann.close();
});

t.test('a page behind a proxy that takes unknown headers away keeps what was typed, too', async (t) => {
  const ann = await filledForm({ withoutHeader: true });
  await endSessions();
  await dialog(ann.page).waitFor();
  t.equal(await ann.page.getByLabel('Name').inputValue(), 'Night shift');
  await ann.close();
});

t.test('a log-in that opens another workspace takes nothing away, and the person can switch back', async (t) => {
  const ann = await filledForm({});
  const { page } = ann;
  const count = await nightShifts();
  await switchOnThePhone('Night team');
  await endSessions();
  await dialog(page).waitFor();
  const other = await page.context().newPage();
  await other.goto(`${world.plane.url}/login`);
  await logInAt(other);
  const ofOther = other.getByRole('button', { name: /^Account.*Night team/ });
  await ofOther.waitFor();
  // Playwright shows all tabs at once, so nobody comes back.
  await page.evaluate("dispatchEvent(new Event('focus'))");
  await ann.see(/^You are logged in, but in another workspace/);
  violations.push(...(await ann.examined('logged-out-elsewhere')));
  const refused = page.waitForResponse((response) => response.status() === 409);
  await ann.press('Not now');
  await refused;
  await page.getByText(/^Another workspace is open, data from \d\d:\d\d:\d\d/).waitFor();
  t.equal(await page.getByText(/^Logged out/).count(), 0, 'the person is logged in');
  violations.push(...(await ann.examined('other-workspace-open')));
  await ann.press('Add channel');
  await dialog(page).waitFor();
  t.equal(await nightShifts(), count, 'nothing is done in another workspace');
  await ann.press('I have logged in, go on');
  await ann.see('The channel is saved and on.');
  t.equal(await nightShifts(), count + 1);
  await ofOther.waitFor({ state: 'detached' });
  complaints.push(...ann.complaints);
  await ann.close();
});

t.test('the log-in page says why one is there', async () => {
  const ann = await world.openAsOwner();
  const { page } = ann;
  await endSessions();
  await ann.goto('/incidents?status=firing');
  await ann.see('You were logged out, because your session has ended. Log in to go on where you were.');
  violations.push(...(await ann.examined('log-in-session-ended')));
  await logInAt(page);
  await page.waitForURL(`${world.plane.url}/incidents?status=firing`);
  await page.getByText('No incident matches this filter.').waitFor();

  const other = await page.context().newPage();
  await other.goto(`${world.plane.url}/incidents`);
  await other.locator('.live').getByText('Live', { exact: true }).waitFor();
  await other.getByRole('button', { name: /^Account/ }).click();
  await other.getByRole('button', { name: 'Log out', exact: true }).click();
  await other.waitForURL(`${world.plane.url}/login`);
  await ann.see('You were logged out in another tab. Log in to go on where you were.');
  await page.waitForURL(/next=%2Fincidents/);
  complaints.push(...ann.complaints);
  await ann.close();
});

t.test('in German', async () => {
  const ann = await world.openAsOwner({ language: 'de-DE' });
  await ann.goto('/monitors');
  await ann.page.locator('.live').getByText('Live', { exact: true }).waitFor();
  await endSessions();
  await dialog(ann.page, 'Sie wurden abgemeldet').waitFor();
  violations.push(...(await ann.examined('logged-out-german')));
  await ann.close();
});

t.test('nothing was wrong in the browser', async (t) => {
  t.same(violations, [], 'no page breaks a rule of accessibility, or is wider than a phone');
  t.same(complaints, [], 'the browser complained about nothing');
});

/** Opens the form of a channel and types into it. */
async function filledForm({
  withoutStream = false,
  withoutHeader = false,
}: {
  withoutStream?: boolean;
  withoutHeader?: boolean;
}): Promise<SignedIn> {
  const ann = await world.openAsOwner();
  const { page } = ann;
  // Nothing but an action of the person then notices that the session has ended.
  if (withoutStream) await page.route('**/v1/events*', (route) => route.abort());
  if (withoutHeader) await page.addInitScript(hideLoadedFor);
  await ann.goto('/settings/channels/new');
  await page.getByLabel('Type').selectOption('webhook');
  await page.getByLabel('Name').fill('Night shift');
  await page.getByLabel('URL').fill('https://hooks.example/night');
  if (!withoutStream) await page.locator('.live').getByText('Live', { exact: true }).waitFor();
  return ann;
}

/** Hides from the page the header that says whom it was loaded for. */
function hideLoadedFor(): void {
  // biome-ignore lint/suspicious/noExplicitAny: it runs in the page.
  const { Headers } = globalThis as any;
  const { get } = Headers.prototype;
  Headers.prototype.get = function getOther(name: string) {
    return name === 'picket-loaded-for' ? null : get.call(this, name);
  };
}

/** Returns how many channels of the workspace have the name that `filledForm` types. */
async function nightShifts(): Promise<number> {
  const { body } = await world.plane.api('GET', '/v1/channels');
  return body.data.filter(({ name }: { name: string }) => name === 'Night shift').length;
}

/** Sends requests of the owner from another device. Resolves to the last answer. */
async function onThePhone(...requests: [method: string, path: string, body?: unknown][]) {
  const { url } = world.plane;
  const { email, password } = world.owner;
  const entered = await requestAs(url, null, ['POST', '/v1/auth/login', { email, password }]);
  const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  let answer = entered;
  for (const request of requests) {
    answer = await requestAs(url, cookie, request);
    t.ok(answer.status < 300, `${request[1]} was answered with ${answer.status}`);
  }
  return answer;
}

/** Ends all sessions of the owner. */
async function endSessions(): Promise<void> {
  await onThePhone(['DELETE', '/v1/auth/sessions'], ['POST', '/v1/auth/logout']);
}

/** Makes a new workspace the one that the next log-in of the owner opens. */
async function switchOnThePhone(name: string): Promise<void> {
  const { body } = await onThePhone(['POST', '/v1/auth/workspaces', { name }]);
  await onThePhone(['POST', `/v1/auth/workspaces/${body.data.id}/switch`]);
}

async function logInAt(page: Page): Promise<void> {
  await page.getByLabel('E-mail address').fill(world.owner.email);
  await page.getByLabel('Password', { exact: true }).fill(world.owner.password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}
