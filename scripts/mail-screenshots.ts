import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { boundedMail } from '../control-plane/mail/content.js';
import { EXAMPLE_PUBLIC_URL, MAIL_EXAMPLES, MAIL_VARIANTS } from '../control-plane/mail/contents/examples.js';
import type { OutgoingMail } from '../control-plane/mail/mailer.js';
import { mailHtml } from '../control-plane/mail/template/html.js';

/*
 * Makes the pictures of docs/mails.md: node --import tsx scripts/mail-screenshots.ts [folder]
 * Each shows one mail twice: in the light mode of a wide window, and in the dark mode of a phone. Needs the Debian
 * packages chromium-headless-shell, pngquant and fonts-liberation, which it installs as root (scripts/apt-install).
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CHROMIUM = '/usr/bin/chromium-headless-shell';
/** The mails that docs/mails.md shows, by their name in `MAIL_EXAMPLES` or `MAIL_VARIANTS`. */
const SHOWN = [
  'confirmation',
  'invitation',
  'password-reset',
  'new-device',
  'second-factor-changed',
  'recovery-codes-renewed',
  'recovery-code-used',
  'code-repeated',
  'api-key-expiring',
];
const WIDE_PX = 600;
const PHONE_PX = 360;
/** Both pictures together, with a margin. */
const PICTURE_PX = WIDE_PX + PHONE_PX;
const COLOURS = 48;

async function main(): Promise<void> {
  const folder = process.argv[2] ?? join(ROOT, 'docs/images');
  execFileSync(join(ROOT, 'scripts/apt-install'), ['chromium-headless-shell', 'pngquant', 'fonts-liberation'], {
    stdio: 'inherit',
  });
  mkdirSync(folder, { recursive: true });
  // As root, Chromium has no sandbox. It shows only pages of this repository, and loads nothing.
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  let bytes = 0;
  for (const name of SHOWN) {
    const mail = MAIL_EXAMPLES[name] ?? MAIL_VARIANTS[name];
    if (mail === undefined) throw new Error(`there is no example ${name}`);
    const file = join(folder, `mail-${name}.png`);
    await takePicture(browser, mail, file);
    bytes += statSync(file).size;
  }
  await browser.close();
  console.log(`${SHOWN.length} pictures in ${folder}, ${Math.round(bytes / 1_000)} kB`);
}

async function takePicture(browser: Browser, mail: OutgoingMail, file: string): Promise<void> {
  const { head, content } = boundedMail(mail, EXAMPLE_PUBLIC_URL);
  const html = mailHtml(content, { title: head.subject, publicUrl: EXAMPLE_PUBLIC_URL });
  const wide = await shot(browser, html, { width: WIDE_PX, colorScheme: 'light' });
  const phone = await shot(browser, html, { width: PHONE_PX, colorScheme: 'dark' });
  const page = await browser.newPage({ viewport: { width: PICTURE_PX, height: 400 } });
  const image = (png: Buffer, background: string) =>
    `<div style="background:${background}"><img style="display:block" src="data:image/png;base64,${png.toString('base64')}"></div>`;
  await page.setContent(
    `<!doctype html><body style="margin:0;display:flex">${image(wide, '#f3f4f6')}${image(phone, '#0f1318')}</body>`,
  );
  await page.screenshot({ path: file, fullPage: true });
  await page.close();
  execFileSync('pngquant', ['--force', '--ext', '.png', '--speed', '1', '--strip', String(COLOURS), file]);
}

/** Returns the whole mail as PNG, as a window of this width shows it. */
async function shot(
  browser: Browser,
  html: string,
  { width, colorScheme }: { width: number; colorScheme: 'light' | 'dark' },
): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width, height: 300 }, colorScheme });
  await page.setContent(html);
  const png = await page.screenshot({ fullPage: true });
  await page.close();
  return png;
}

await main();
