import t from 'tap';
import { boundedMail } from '../../../control-plane/mail/content.js';
import { EXAMPLE_PUBLIC_URL, MAIL_EXAMPLES } from '../../../control-plane/mail/contents/examples.js';
import type { OutgoingMail } from '../../../control-plane/mail/mailer.js';
import { mailHtml } from '../../../control-plane/mail/template/html.js';
import { mailText } from '../../../control-plane/mail/template/text.js';
import { PUBLIC_URL, testMail } from '../../helpers/mail/build.js';

/** Gmail hides what follows: https://support.google.com/mail/answer/6576 */
const GMAIL_BYTES_MAX = 102_000;

function rendered(mail: OutgoingMail, publicUrl = EXAMPLE_PUBLIC_URL) {
  const { head, content } = boundedMail(mail, publicUrl);
  return { ...head, html: mailHtml(content, { title: head.subject, publicUrl }), text: mailText(content, publicUrl) };
}

for (const [name, mail] of Object.entries(MAIL_EXAMPLES)) {
  t.test(`${name}: both parts say the same`, (t) => {
    const { html, text } = rendered(mail);
    const facts = (mail.facts ?? []).flatMap(({ label, value }) => [label, value]);
    for (const point of [mail.heading, ...mail.paragraphs, ...facts, mail.action?.label ?? '', mail.why]) {
      t.ok(text.includes(point), `text: ${point}`);
      t.ok(html.includes(point.replaceAll("'", '&#39;')), `html: ${point}`);
    }
    if (mail.action !== undefined) t.ok(text.includes(`\n${mail.action.url}\n`), 'the link has a line of its own');
    t.end();
  });

  t.test(`${name}: every link starts with the public URL, and nothing is loaded`, (t) => {
    const { html } = rendered(mail);
    const links = [...html.matchAll(/\bhref="([^"]*)"/g)].map(([, url = '']) => url);
    t.ok(links.length >= 1);
    for (const url of links) t.ok(url === EXAMPLE_PUBLIC_URL || url.startsWith(`${EXAMPLE_PUBLIC_URL}/`), url);
    t.notMatch(
      html,
      /\bsrc=|<img|<link|<script|<iframe|<object|<svg|@import|url\(|\bon\w+=|@font-face|srcset|background=/i,
    );
    const others = [...html.matchAll(/[a-z]+:\/\/[^\s"<]+/g)].filter(([url]) => !url.startsWith(EXAMPLE_PUBLIC_URL));
    t.same(others, []);
    t.end();
  });
}

t.test('texts are escaped in the HTML part and as they are in the text part', (t) => {
  const evil = `<img src=x onerror="alert('1')"> & </td></style><script>`;
  const { html, text } = rendered(
    testMail({
      ...{ subject: evil, heading: evil, paragraphs: [evil], facts: [{ label: evil, value: evil }] },
      ...{ code: evil, why: evil, action: { label: evil, url: `${PUBLIC_URL}/x?a=1&b='2'#token=3` } },
    }),
    PUBLIC_URL,
  );
  t.notMatch(html, /<img|<script|onerror="/);
  t.equal([...html.matchAll(/&lt;img src=x onerror=&quot;alert\(&#39;1&#39;\)&quot;&gt; &amp; /g)].length, 8);
  t.match(html, 'href="https://picket.test/x?a=1&amp;b=&#39;2&#39;#token=3"');
  t.ok(text.includes(evil));
  t.end();
});

t.test('every text is cut to its limit, and the longest mail is one that Gmail shows whole', (t) => {
  const long = '&'.repeat(20_000);
  const many = Array.from({ length: 100 }, () => long);
  const mail = testMail({
    ...{ to: `${'a'.repeat(300)}@example.com`, subject: long, heading: long, paragraphs: many, why: long, code: long },
    facts: many.map((value) => ({ label: value, value })),
    action: { label: long, url: `${PUBLIC_URL}/${'x'.repeat(900)}` },
  });
  const { html, text, subject, to } = rendered(mail, PUBLIC_URL);
  t.equal(subject.length, 200);
  t.equal(to.length, 254);
  t.ok(Buffer.byteLength(html) < GMAIL_BYTES_MAX, `${Buffer.byteLength(html)} bytes of HTML`);
  t.ok(text.length < 20_000, `${text.length} characters of text`);
  t.end();
});

t.test('characters that reorder text, control characters and half characters are removed', (t) => {
  const { text, subject } = rendered(
    testMail({ subject: 'a\u202eb\u0000c\ud800d', paragraphs: ['x\u202e\u200fy\n\nz'] }),
    PUBLIC_URL,
  );
  t.equal(subject, 'ab cd');
  t.ok(text.includes('xy z'));
  t.end();
});

t.test('colours have a contrast of 4.5 in light, dark and inverted mode (WCAG 2, 1.4.3)', (t) => {
  const { html } = rendered(testMail({ facts: [{ label: 'Time', value: 'now' }], code: 'abc' }), PUBLIC_URL);
  const dark = darkColours(html);
  /** Class of the text, its inline styles, and the class of what is behind it. */
  const texts = [
    ['brand soft', 'page'],
    ['strong', 'card'],
    ['label soft', 'card'],
    ['button-link', 'button-link'],
    ['link', 'card'],
    ['foot soft', 'page'],
  ] as const;
  for (const [text, behind] of texts) {
    const pair = [inline(html, text, 'color'), inline(html, behind, 'background-color')] as const;
    const darkPair = [
      dark.get(`${text.split(' ').at(-1)} color`) ?? pair[0],
      dark.get(`${behind} background-color`) ?? pair[1],
    ] as const;
    for (const [mode, [front, back]] of [
      ['light', pair],
      ['dark', darkPair],
      ['inverted', [inverted(pair[0]), inverted(pair[1])]],
    ] as const) {
      const ratio = contrast(front, back);
      t.ok(ratio >= 4.5, `${mode} ${text}: ${front} on ${back} is ${ratio.toFixed(2)}`);
    }
  }
  t.ok(dark.size >= 8, 'the dark mode has colours of its own');
  t.match(html, '<meta name="color-scheme" content="light dark">');
  t.end();
});

function inline(html: string, classes: string, property: string): string {
  const style = new RegExp(`class="${classes}"[^>]* style="([^"]*)"`).exec(html)?.[1] ?? '';
  const value = new RegExp(`(?:^|;)${property}:(#[0-9a-f]{6})`).exec(style)?.[1];
  if (value === undefined) throw new Error(`${classes} has no ${property}: ${style}`);
  return value;
}

/** The colours of the media query by class and property: `card background-color`. */
function darkColours(html: string): Map<string, string> {
  const block = /@media \(prefers-color-scheme:dark\)\{\n([\s\S]*?)\n\}/.exec(html)?.[1] ?? '';
  const rules = [...block.matchAll(/^\.([\w-]+)\{([^}]*)\}$/gm)];
  return new Map(
    rules.flatMap(([, name = '', body = '']) =>
      [...body.matchAll(/([\w-]+):(#[0-9a-f]{6})!important/g)].map(([, property = '', value = '']) => {
        return [`${name} ${property}`, value] as const;
      }),
    ),
  );
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

/** As clients do that invert the lightness by force; the hue hardly changes the contrast. */
function inverted(colour: string): string {
  return `#${channels(colour)
    .map((value) => (255 - value).toString(16).padStart(2, '0'))
    .join('')}`;
}

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(front: string, back: string): number {
  const luminance = (colour: string) => {
    const [r = 0, g = 0, b = 0] = channels(colour).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [light = 0, darker = 0] = [luminance(front), luminance(back)].sort((a, b) => b - a);
  return (light + 0.05) / (darker + 0.05);
}
