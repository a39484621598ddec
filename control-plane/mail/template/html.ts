import type { MailContent } from '../content.js';
import type { MailFact, TemplateWords } from '../mailer.js';
import { escapeHtml } from './escape-html.js';
import { STYLES } from './styles.js';
import { TEMPLATE_ENGLISH } from './words.js';

/**
 * Returns the mail as HTML: one column of tables with inline styles, which all mail clients support, without images or
 * other remote content. The colours of the dark mode are in a style sheet for the clients that read one.
 */
export function mailHtml(content: MailContent, { title, publicUrl }: { title: string; publicUrl: string }): string {
  const { heading, paragraphs, facts, action, code, why, template = TEMPLATE_ENGLISH } = content;
  return [
    '<!doctype html>',
    `<html lang="${template.language}" dir="ltr">`,
    headOf(title),
    `<body class="page" style="${STYLES.page}">`,
    `<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="${STYLES.frame}"><tr><td align="center" class="margin" style="${STYLES.margin}">`,
    `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="${STYLES.column}">`,
    `<tr><td class="brand soft" style="${STYLES.brand}">Picket</td></tr>`,
    `<tr><td class="card" style="${STYLES.card}">`,
    `<h1 class="strong" style="${STYLES.heading}">${escapeHtml(heading)}</h1>`,
    ...paragraphs.map((text) => `<p class="strong" style="${STYLES.paragraph}">${escapeHtml(text)}</p>`),
    factsHtml(facts),
    code === null ? '' : `<p class="code strong" style="${STYLES.code}">${escapeHtml(code)}</p>`,
    action === null ? '' : actionHtml(action, template),
    '</td></tr>',
    `<tr><td class="foot soft" style="${STYLES.foot}"><p style="${STYLES.footLine}">${escapeHtml(why)}</p>`,
    content.stopUrl == null ? '' : stopHtml(content.stopUrl, template),
    `<p style="${STYLES.footLine}">Picket, <a class="soft" href="${escapeHtml(publicUrl)}" style="${STYLES.footLink}">${escapeHtml(publicUrl)}</a></p></td></tr>`,
    '</table></td></tr></table></body></html>',
    '',
  ]
    .filter((line, index, lines) => line !== '' || index === lines.length - 1)
    .join('\n');
}

function headOf(title: string): string {
  return [
    '<head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="supported-color-schemes" content="light dark">',
    // Without it, iOS makes links of times and addresses.
    '<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">',
    `<title>${escapeHtml(title)}</title>`,
    `<style>\n${STYLES.sheet}\n</style></head>`,
  ].join('\n');
}

/** Values may be names in any script, so each finds its own direction; all begin at the left. */
function factsHtml(facts: readonly MailFact[]): string {
  if (facts.length === 0) return '';
  const rows = facts.map(
    ({ label, value }) =>
      `<tr><td class="label soft" style="${STYLES.label}">${escapeHtml(label)}</td>` +
      `<td class="value strong" dir="auto" style="${STYLES.value}">${escapeHtml(value)}</td></tr>`,
  );
  return `<table role="presentation" class="facts" width="100%" cellpadding="0" cellspacing="0" style="${STYLES.facts}">${rows.join('')}</table>`;
}

function stopHtml(url: string, { stop }: TemplateWords): string {
  return `<p style="${STYLES.footLine}"><a class="soft" href="${escapeHtml(url)}" style="${STYLES.footLink}">${escapeHtml(stop)}</a></p>`;
}

/** The address is also shown as text, for clients that show no buttons and for people who want to check it. */
function actionHtml({ label, url }: { label: string; url: string }, { copy }: TemplateWords): string {
  const href = escapeHtml(url);
  return [
    `<table role="presentation" cellpadding="0" cellspacing="0" style="${STYLES.buttonTable}"><tr><td class="button" style="${STYLES.buttonCell}"><a class="button-link" href="${href}" style="${STYLES.buttonLink}">${escapeHtml(label)}</a></td></tr></table>`,
    `<p class="soft" style="${STYLES.address}">${escapeHtml(copy)}<br><a class="link" href="${href}" style="${STYLES.addressLink}">${href}</a></p>`,
  ].join('\n');
}
