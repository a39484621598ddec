import { cut } from '../../cut.js';
import { escapeHtml } from '../../mail/template/escape-html.js';
import { ACTION_LABEL, type Message, type MessageKind } from '../message.js';

/** Longer than the texts of incidents; bounds the size of an e-mail. */
const TEXT_CHARS_MAX = 5_000;

/** Background colours of white text, so they are darker than those of chat messages. */
const COLOR: Record<MessageKind, string> = {
  opened: '#b42318',
  reminder: '#b42318',
  acknowledged: '#93600a',
  resolved: '#14713a',
  test: '#1d4ed8',
};

export function emailText(message: Message): string {
  return [
    message.title,
    '',
    cut(message.text, TEXT_CHARS_MAX),
    '',
    ...message.facts.map((fact) => `${fact.label}: ${cut(fact.value, TEXT_CHARS_MAX)}`),
    '',
    ...(message.actionLink === null ? [] : [`${ACTION_LABEL}: ${message.actionLink}`]),
    `${linkLabel(message)}: ${message.link}`,
    ...(message.runbookLink === null ? [] : [`${message.runbookLabel}: ${message.runbookLink}`]),
    '',
    '-- ',
    'Picket',
    '',
  ].join('\n');
}

/** Uses tables and inline styles, which all mail clients support. Contains no images or other remote content. */
export function emailHtml(message: Message): string {
  const rows = message.facts.map(
    (fact) =>
      `<tr><td style="padding:4px 16px 4px 0;color:#57606a;vertical-align:top;white-space:nowrap">${escapeHtml(fact.label)}</td>` +
      `<td style="padding:4px 0;overflow-wrap:anywhere">${escapeHtml(cut(fact.value, TEXT_CHARS_MAX))}</td></tr>`,
  );
  const runbook =
    message.runbookLink === null
      ? ''
      : ` &nbsp; <a href="${escapeHtml(message.runbookLink)}">${escapeHtml(message.runbookLabel)}</a>`;
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${escapeHtml(message.title)}</title></head>`,
    '<body style="margin:0;padding:16px;font:16px/1.5 -apple-system,Segoe UI,Helvetica,Arial,sans-serif;color:#1f2328">',
    '<div style="max-width:600px;margin:0 auto;border:1px solid #d0d7de;border-radius:8px;overflow:hidden">',
    `<h1 style="margin:0;padding:16px;font-size:20px;color:#ffffff;background:${COLOR[message.kind]}">${escapeHtml(message.title)}</h1>`,
    `<div style="padding:16px"><p style="margin:0 0 16px">${escapeHtml(cut(message.text, TEXT_CHARS_MAX))}</p>`,
    `<table role="presentation" style="border-collapse:collapse;margin:0 0 16px">${rows.join('')}</table>`,
    ...(message.actionLink === null ? [] : [actionButton(message.actionLink)]),
    `<p style="margin:0"><a href="${escapeHtml(message.link)}">${linkLabel(message)}</a>${runbook}</p></div></div>`,
    '</body></html>',
  ].join('\n');
}

function actionButton(link: string): string {
  const style =
    'display:inline-block;padding:12px 20px;border-radius:8px;background:#1d4ed8;color:#ffffff;font-weight:600;text-decoration:none';
  return `<p style="margin:0 0 16px"><a style="${style}" href="${escapeHtml(link)}">${ACTION_LABEL}</a></p>`;
}

function linkLabel(message: Message): string {
  return message.kind === 'test' ? 'Open channel' : 'Open incident';
}
