import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import t from 'tap';
import { comesTo } from '../../../helpers/dashboard/comes-to.js';
import { signInAs } from '../../../helpers/dashboard/sign-in-as.js';
import { visitor } from '../../../helpers/dashboard/visitor.js';
import { testDatabase } from '../../../helpers/database.js';
import { startChromium } from '../../../helpers/machine/chromium.js';
import { freePort } from '../../../helpers/machine/ports.js';
import { startControlPlane } from '../../../helpers/processes/control-plane.js';
import { buildPerson } from '../../../helpers/second-factor/accounts.js';
import { createInPage } from '../../../helpers/second-factor/browser.js';
import {
  addVirtualAuthenticator,
  type VirtualCredential,
} from '../../../helpers/second-factor/virtual-authenticator.js';
import { requestAs, storeSession } from '../../../helpers/team/people.js';

const mongo = await testDatabase();
const port = await freePort();
// Browsers have passkeys for localhost and for no address.
const url = `http://localhost:${port}`;
const plane = await startControlPlane(mongo.uri, { PICKET_HTTP_PORT: String(port), PICKET_PUBLIC_URL: url });
const browser = await startChromium();
t.teardown(async () => {
  await browser.close();
  await plane.remove();
  await mongo.drop();
});

const anna = await buildPerson(mongo, 'anna@example.com');
const { page, complaints } = await visitor(browser);
const dialog = page.getByRole('dialog', { name: 'You were logged out' });
let passkeys: VirtualCredential[] = [];
let secret = '';

t.test('there is somebody with an app and a passkey', async () => {
  await signInAs(page, url, anna, '/settings/second-factor');
  const authenticator = await addVirtualAuthenticator(page);
  const { data: options } = await page.evaluate(callApi, { path: 'v1/auth/passkeys/options' });
  const credential = await page.evaluate(createInPage, options);
  await page.evaluate(callApi, { path: 'v1/auth/passkeys', body: { name: 'Laptop', credential } });
  passkeys = await authenticator.credentials();
  secret = (await page.evaluate(callApi, { path: 'v1/auth/mfa/totp' })).data.secret;
  await page.evaluate(callApi, { path: 'v1/auth/mfa/totp/verify', body: { totp: codeOf(secret) } });
});

for (const [way, prove] of Object.entries({
  'with a code of the app': async (other: Page) => {
    await enterPassword(other);
    await other.getByLabel('Code').fill('000000');
    await other.getByRole('button', { name: 'Continue', exact: true }).click();
    await other.getByText(/This code is wrong/).waitFor();
    await other.getByLabel('Code').fill(codeOf(secret));
    await other.getByRole('button', { name: 'Continue', exact: true }).click();
  },
  'with a passkey as the second factor': async (other: Page) => {
    await enterPassword(other);
    await other.getByRole('button', { name: 'Use a passkey', exact: true }).click();
    await other.getByText('Confirm with the passkey of your account.').waitFor();
    await other.getByRole('button', { name: 'Use a passkey', exact: true }).click();
  },
  'with a passkey alone': (other: Page) =>
    other.getByRole('button', { name: 'Log in with a passkey', exact: true }).click(),
}))
  t.test(`a log-in ${way} leads back to the tab that waits`, async (t) => {
    await filledForm();
    await endSessions();
    await dialog.waitFor();
    const opened = page.context().waitForEvent('page');
    await dialog.getByRole('link', { name: 'Log in in a new tab' }).click();
    const other = await opened;
    const authenticator = await addVirtualAuthenticator(other);
    await authenticator.replace(passkeys);
    await prove(other);
    await other.getByText('Close this tab, and go on in the one that you came from.').waitFor();
    // It counts its answers, and the server refuses one that has counted less than before.
    passkeys = await authenticator.credentials();
    await dialog.waitFor({ state: 'detached' });
    t.equal(await page.getByLabel('Name').inputValue(), 'Night shift', 'what was typed is kept');
    const focused = () => page.locator('input:focus').inputValue();
    await comesTo(t, focused, 'https://hooks.example/night', 'the focus is where it was');
    await other.close();
    await page.locator('.live').getByText('Live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Add channel', exact: true }).click();
    await page.getByText('The channel is saved and on.').waitFor();
    t.same(complaints, [], 'the browser complained about nothing');
  });

/** Opens the form of a channel and types into it. */
async function filledForm(): Promise<void> {
  await page.goto(`${url}/settings/channels/new`);
  await page.getByLabel('Type').selectOption('webhook');
  await page.getByLabel('Name').fill('Night shift');
  await page.getByLabel('URL').fill('https://hooks.example/night');
  await page.locator('.live').getByText('Live', { exact: true }).waitFor();
  // A code works only once, and the next one comes in half a minute.
  await mongo.db.collection('second_factors').updateOne({ totp: { $ne: null } }, { $set: { 'totp.last_step': 0 } });
}

/** Ends the sessions of the browser, from another device. */
async function endSessions(): Promise<void> {
  const cookie = await storeSession(mongo, { userId: anna.workspace.userId, workspaceId: anna.workspace.id });
  for (const request of [['DELETE', '/v1/auth/sessions'] as const, ['POST', '/v1/auth/logout'] as const])
    t.ok((await requestAs(url, cookie, [...request])).status < 300, request[1]);
}

async function enterPassword(other: Page): Promise<void> {
  await other.getByLabel('E-mail address').fill(anna.email);
  await other.getByLabel('Password', { exact: true }).fill(anna.password);
  await other.getByRole('button', { name: 'Log in', exact: true }).click();
}

function codeOf(ofSecret: string): string {
  return new TOTP({ secret: Secret.fromBase32(ofSecret) }).generate();
}

/** It runs in the page. */
// biome-ignore lint/suspicious/noExplicitAny: the tests look at what they need.
async function callApi({ path, body }: { path: string; body?: object }): Promise<any> {
  const response = await fetch(path, {
    method: 'POST',
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.json();
}
