import { foreignText } from '../../mail/foreign-text.js';
import { STOP_LABEL } from '../../mail/one-click.js';
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

/** `stopUrl` is the link that stops the mails; null for members. */
export function emailText(message: Message, stopUrl: string | null): string {
  return [
    lifeless(message.title),
    '',
    lifeless(message.text),
    '',
    ...message.facts.map((fact) => `${fact.label}: ${lifeless(fact.value)}`),
    '',
    ...(message.actionLink === null ? [] : [`${ACTION_LABEL}: ${message.actionLink}`]),
    `${linkLabel(message)}: ${message.link}`,
    ...(message.runbookLink === null ? [] : [`${message.runbookLabel}: ${message.runbookLink}`]),
    '',
    '-- ',
    'Picket',
    ...(stopUrl === null ? [] : [`${STOP_LABEL}: ${stopUrl}`]),
    '',
  ].join('\n');
}

/** Uses tables and inline styles, which all mail clients support. Contains no images or other remote content. */
export function emailHtml(message: Message, stopUrl: string | null): string {
  const rows = message.facts.map(
    (fact) =>
      `<tr><td style="padding:4px 16px 4px 0;color:#57606a;vertical-align:top;white-space:nowrap">${escapeHtml(fact.label)}</td>` +
      `<td style="padding:4px 0;overflow-wrap:anywhere">${escapeHtml(lifeless(fact.value))}</td></tr>`,
  );
  const runbook =
    message.runbookLink === null
      ? ''
      : ` &nbsp; <a href="${escapeHtml(message.runbookLink)}">${escapeHtml(message.runbookLabel)}</a>`;
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${escapeHtml(lifeless(message.title))}</title></head>`,
    '<body style="margin:0;padding:16px;font:16px/1.5 -apple-system,Segoe UI,Helvetica,Arial,sans-serif;color:#1f2328">',
    '<div style="max-width:600px;margin:0 auto;border:1px solid #d0d7de;border-radius:8px;overflow:hidden">',
    `<h1 style="margin:0;padding:16px;font-size:20px;color:#ffffff;background:${COLOR[message.kind]}">${escapeHtml(lifeless(message.title))}</h1>`,
    `<div style="padding:16px"><p style="margin:0 0 16px">${escapeHtml(lifeless(message.text))}</p>`,
    `<table role="presentation" style="border-collapse:collapse;margin:0 0 16px">${rows.join('')}</table>`,
    ...(message.actionLink === null ? [] : [actionButton(message.actionLink)]),
    `<p style="margin:0"><a href="${escapeHtml(message.link)}">${linkLabel(message)}</a>${runbook}</p></div></div>`,
    ...(stopUrl === null ? [] : [stopLink(stopUrl)]),
    '</body></html>',
  ].join('\n');
}

/** Monitors, channels and receivers have names and texts that others chose: mail clients must make no link of them. */
function lifeless(text: string): string {
  return text
    .split('\n')
    .map((line) => foreignText(line, TEXT_CHARS_MAX))
    .join('\n');
}

function stopLink(url: string): string {
  const style = 'max-width:600px;margin:16px auto;font-size:13px';
  return `<p style="${style}"><a style="color:#57606a" href="${escapeHtml(url)}">${STOP_LABEL}</a></p>`;
}

function actionButton(link: string): string {
  const style =
    'display:inline-block;padding:12px 20px;border-radius:8px;background:#1d4ed8;color:#ffffff;font-weight:600;text-decoration:none';
  return `<p style="margin:0 0 16px"><a style="${style}" href="${escapeHtml(link)}">${ACTION_LABEL}</a></p>`;
}

function linkLabel(message: Message): string {
  return message.kind === 'test' ? 'Open channel' : 'Open incident';
}
