import type { Page } from 'playwright-core';
import t from 'tap';
import { boundedMail } from '../../../control-plane/mail/content.js';
import { EXAMPLE_PUBLIC_URL, MAIL_EXAMPLES } from '../../../control-plane/mail/contents/examples.js';
import { invitationMail } from '../../../control-plane/mail/contents/invitation.js';
import type { OutgoingMail } from '../../../control-plane/mail/mailer.js';
import { mailHtml } from '../../../control-plane/mail/template/html.js';
import { startChromium } from '../../helpers/machine/chromium.js';

const browser = await startChromium();
t.teardown(() => browser.close());

const link = `${EXAMPLE_PUBLIC_URL}/accept-invitation#token=${'x'.repeat(200)}`;
const invitation = (workspace: string) =>
  invitationMail({
    ...{ to: 'ann@example.com', workspace, role: 'owner', link, expiresAtMs: 0 },
    inviter: `${'long.'.repeat(40)}@${'sub.'.repeat(10)}example.com`,
  });
const MAILS: Record<string, OutgoingMail> = {
  ...MAIL_EXAMPLES,
  'long names': invitation('W'.repeat(200)),
  'from right to left': invitation('חנות הדוגמה של ירושלים 24'),
};

/** Opens a window without a network. */
function openWindow(width: number, colorScheme: 'light' | 'dark') {
  return browser.newPage({ viewport: { width, height: 800 }, colorScheme, offline: true });
}

async function show(page: Page, mail: OutgoingMail) {
  const { head, content } = boundedMail(mail, EXAMPLE_PUBLIC_URL);
  await page.setContent(mailHtml(content, { title: head.subject, publicUrl: EXAMPLE_PUBLIC_URL }));
}

for (const width of [320, 360, 600, 1_200]) {
  t.test(`no mail is wider than a window of ${width} px, and none loads anything`, async (t) => {
    const page = await openWindow(width, 'light');
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    for (const [name, mail] of Object.entries(MAILS)) {
      await show(page, mail);
      const widths = await page.evaluate<number[]>(
        '[document.documentElement.scrollWidth, ...Array.from(document.querySelectorAll("h1,p,td,a"), (e) => Math.ceil(e.getBoundingClientRect().right))]',
      );
      t.ok(Math.max(...widths) <= width, `${name}: ${Math.max(...widths)} px`);
      const card = await page.locator('.card').boundingBox();
      t.ok((card?.width ?? 0) <= 600 && (card?.width ?? 0) >= Math.min(568, width - 32), `${name}: ${card?.width} px`);
      t.same(requests, [], name);
    }
    await page.close();
  });
}

t.test('the dark mode changes the colours of everything that has one', async (t) => {
  const mail: OutgoingMail = { ...invitation('Shop'), code: 'abcd-efgh' };
  const colours = async (scheme: 'light' | 'dark') => {
    const page = await openWindow(600, scheme);
    await show(page, mail);
    const script = (name: string) => `(() => { const style = getComputedStyle(document.querySelector('${name}'));
      return [style.color, style.backgroundColor]; })()`;
    const found = new Map<string, string[]>();
    for (const name of [
      'body',
      '.card',
      'h1',
      '.card p',
      '.label',
      '.value',
      '.code',
      '.button-link',
      '.link',
      '.foot',
    ])
      found.set(name, await page.evaluate<string[]>(script(name)));
    await page.close();
    return found;
  };
  const [light, dark] = [await colours('light'), await colours('dark')];
  for (const [name, values] of dark) t.notSame(values, light.get(name), name);
  t.equal(dark.get('.card')?.[1], 'rgb(25, 31, 39)');
});

t.test('a name from right to left leaves the order of the sentence alone', async (t) => {
  const page = await openWindow(1_200, 'light');
  await show(page, invitation('חנות'));
  // The name stands between the words before and after it, and the English text is at the left.
  const [join, name, on] = await page.evaluate<[number, number, number]>(`(() => {
    const text = document.querySelector('h1').firstChild;
    const left = (from, to) => { const range = document.createRange(); range.setStart(text, from); range.setEnd(text, to);
      return range.getBoundingClientRect().left; };
    const at = text.data.indexOf('חנות');
    return [left(0, 4), left(at, at + 4), left(text.data.indexOf('on Picket'), text.data.length)];
  })()`);
  t.ok(join < name && name < on, `${join}, ${name}, ${on}`);
  const [cell, value] = await page.evaluate<[number, number]>(`(() => {
    const cell = document.querySelector('.value'), range = document.createRange();
    range.selectNodeContents(cell);
    return [cell.getBoundingClientRect().left, range.getBoundingClientRect().left];
  })()`);
  t.ok(value - cell < 20, 'it begins where the other values begin');
  await page.close();
});
