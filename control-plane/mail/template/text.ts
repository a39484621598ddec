import type { MailContent } from '../content.js';
import { TEMPLATE_ENGLISH } from './words.js';

/** Returns the mail as plain text. Lines are not wrapped, because mail clients wrap them to the window. */
export function mailText(content: MailContent, publicUrl: string): string {
  const { action, code, template = TEMPLATE_ENGLISH } = content;
  const stop = content.stopUrl == null ? '' : `${template.stop}: ${content.stopUrl}\n`;
  const blocks = [
    content.heading,
    ...content.paragraphs,
    content.facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    code ?? '',
    action === null ? '' : `${action.label}:\n${action.url}`,
    // Mail clients recognise the line `-- ` as the start of the signature.
    `-- \n${content.why}\n${stop}Picket, ${publicUrl}`,
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}
