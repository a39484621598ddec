import { cut } from '../cut.js';
import type { MailFact, OutgoingMail, TemplateWords } from './mailer.js';
import { oneLine } from './one-line.js';

/** What the template renders. Every text is one line within its limit. */
export interface MailContent {
  heading: string;
  paragraphs: string[];
  facts: MailFact[];
  action: { label: string; url: string } | null;
  code: string | null;
  why: string;
  /** The URL that stops such mails; null for mails about accounts. Missing in mails of earlier versions. */
  stopUrl?: string | null;
  /** Missing in mails in English. */
  template?: TemplateWords;
}

/** RFC 5322 allows longer subjects, but mail clients do not show more in lists. */
const SUBJECT_CHARS_MAX = 200;
/** RFC 5321: a path has at most 256 octets with its angle brackets. A longer address is cut, and refused by the server. */
const ADDRESS_CHARS_MAX = 254;
const KIND = /^[a-z][a-z_]{0,39}$/;
const HEADING_CHARS_MAX = 300;
const PARAGRAPHS_MAX = 8;
const PARAGRAPH_CHARS_MAX = 1_000;
const FACTS_MAX = 12;
const LABEL_CHARS_MAX = 60;
const VALUE_CHARS_MAX = 300;
const URL_CHARS_MAX = 1_000;
const CODE_CHARS_MAX = 60;
const WHY_CHARS_MAX = 600;

/** What of a mail is stored in plain text, and the content, which is sealed. */
export interface BoundedMail {
  head: { to: string; kind: string; subject: string };
  content: MailContent;
}

/**
 * Returns the mail with every text as one line within its limit. Throws for a kind that cannot be the label of a metric
 * and for a link that does not start with `publicUrl`: both are errors of the caller.
 */
export function boundedMail(mail: OutgoingMail, publicUrl: string): BoundedMail {
  if (!KIND.test(mail.kind)) throw new Error(`${JSON.stringify(mail.kind)} is not a kind of mail`);
  const { action, stopUrl } = mail;
  for (const url of [action?.url, stopUrl]) if (url !== undefined) refuseForeignLink(url, publicUrl, mail.kind);
  return {
    head: {
      to: text(mail.to, ADDRESS_CHARS_MAX),
      kind: mail.kind,
      subject: text(mail.subject, SUBJECT_CHARS_MAX),
    },
    content: {
      heading: text(mail.heading, HEADING_CHARS_MAX),
      paragraphs: mail.paragraphs.slice(0, PARAGRAPHS_MAX).map((paragraph) => text(paragraph, PARAGRAPH_CHARS_MAX)),
      facts: (mail.facts ?? [])
        .slice(0, FACTS_MAX)
        .map(({ label, value }) => ({ label: text(label, LABEL_CHARS_MAX), value: text(value, VALUE_CHARS_MAX) })),
      action: action === undefined ? null : { label: text(action.label, LABEL_CHARS_MAX), url: action.url },
      code: mail.code === undefined ? null : text(mail.code, CODE_CHARS_MAX),
      why: text(mail.why, WHY_CHARS_MAX),
      stopUrl: stopUrl ?? null,
      ...(mail.template === undefined ? {} : { template: mail.template }),
    },
  };
}

/** A link that a client could influence, by its `Host` header for example, would send a token to someone else. */
function refuseForeignLink(url: string, publicUrl: string, kind: string): void {
  const isOurs = url.startsWith(`${publicUrl}/`) && URL.canParse(url) && !/[\s\p{C}<>"]/u.test(url);
  // The message does not contain the link, because it can contain a token.
  if (!isOurs) throw new Error(`the link of the mail ${kind} does not start with the public URL`);
  if (url.length > URL_CHARS_MAX) throw new Error(`the link of the mail ${kind} is too long`);
}

/**
 * Half characters, and characters that change the direction of all text after them. Isolates end with their paragraph,
 * so they may stay.
 */
const REMOVED = /[\p{Cs}\u061c\u200e\u200f\u202a-\u202e]/gu;

function text(value: string, charsMax: number): string {
  return cut(oneLine(value.replace(REMOVED, '')), charsMax);
}
