import { foreignText } from '../../../mail/foreign-text.js';
import type { MailFact, OutgoingMail } from '../../../mail/mailer.js';
import type { StatusPageDocument } from '../../documents.js';
import { pagePath } from '../../paths.js';
import { createFormats } from '../../render/formats.js';
import { beginOf, endOf, outageTitle } from '../../render/said.js';
import { type PageLanguage, WORDS } from '../../words/languages.js';
import type { SubscriberDocument } from '../documents.js';
import { NEWS_MS, QUESTION_VALID_MS } from '../limits.js';
import { CONFIRM_PATH, TOKEN_PARAMETER, UNSUBSCRIBE_PATH } from '../paths.js';
import type { UnsubscribeTokens } from '../tokens.js';
import { SUBSCRIPTION_WORDS } from '../words/languages.js';
import type { PageEvent } from './page-event.js';

/** A mail has 8 paragraphs of 1,000 characters at most. What is longer is on the page. */
const PARAGRAPHS_MAX = 6;
const PARAGRAPH_CHARS_MAX = 900;
const TITLE_CHARS_MAX = 150;
const NAMES_CHARS_MAX = 280;

interface UpdateMail {
  page: StatusPageDocument;
  event: PageEvent;
  subscriber: SubscriberDocument;
  id: string;
  publicUrl: string;
  tokens: Pick<UnsubscribeTokens, 'sign'>;
}

/** Tells a subscriber what happened on a page, as the page says it. */
export function updateMail({ page, event, subscriber, id, publicUrl, tokens }: UpdateMail): OutgoingMail {
  const { language } = subscriber;
  const words = SUBSCRIPTION_WORDS[language].mail;
  const { title, paragraphs, facts } = saidOf(event, page, language);
  const name = foreignText(page.title);
  return {
    id,
    bulk: true,
    workspaceId: page.workspace_id,
    withdrawnBy: subscriber._id,
    to: subscriber.receiver,
    kind: 'status_update',
    subject: `[${name}] ${title}`,
    heading: title,
    paragraphs,
    facts,
    action: { label: words.open, url: `${publicUrl}${pagePath(page.slug)}` },
    stopUrl: `${publicUrl}${UNSUBSCRIBE_PATH}?${TOKEN_PARAMETER}=${tokens.sign(subscriber._id)}`,
    why: words.why(name),
    template: { language, stop: words.stop, copy: words.copy },
    expiresAtMs: event.atMs + NEWS_MS,
  };
}

interface ConfirmMail {
  page: Pick<StatusPageDocument, 'workspace_id' | 'title' | 'time_zone'>;
  subscriber: Pick<SubscriberDocument, '_id' | 'receiver'>;
  language: PageLanguage;
  token: string;
  nowMs: number;
  publicUrl: string;
  tokens: Pick<UnsubscribeTokens, 'sign'>;
}

/** Asks an address whether it wants the updates of a page. */
export function confirmMail({
  page,
  subscriber,
  language,
  token,
  nowMs,
  publicUrl,
  tokens,
}: ConfirmMail): OutgoingMail {
  const words = SUBSCRIPTION_WORDS[language].mail;
  const name = foreignText(page.title);
  const expiresAtMs = nowMs + QUESTION_VALID_MS;
  const until = createFormats(language, page.time_zone, WORDS[language]).time(expiresAtMs);
  return {
    to: subscriber.receiver,
    workspaceId: page.workspace_id,
    kind: 'confirm_subscription',
    subject: words.confirmTitle(name),
    heading: words.confirmTitle(name),
    paragraphs: [words.confirmText(name, `${until} (${page.time_zone})`), words.confirmIgnore],
    action: { label: words.confirmAction, url: `${publicUrl}${CONFIRM_PATH}?${TOKEN_PARAMETER}=${token}` },
    stopUrl: `${publicUrl}${UNSUBSCRIBE_PATH}?${TOKEN_PARAMETER}=${tokens.sign(subscriber._id)}`,
    why: words.confirmWhy(name),
    template: { language, stop: words.stop, copy: words.copy },
    expiresAtMs,
  };
}

/** What an event says in a language: a title, paragraphs and facts, all one line each. */
interface SaidEvent {
  title: string;
  paragraphs: string[];
  facts: MailFact[];
}

function saidOf(event: PageEvent, { time_zone }: StatusPageDocument, language: PageLanguage): SaidEvent {
  const pageWords = WORDS[language];
  const words = SUBSCRIPTION_WORDS[language].mail;
  const formats = createFormats(language, time_zone, pageWords);
  const at = { label: words.time, value: `${formats.time(event.atMs)} (${time_zone})` };
  const affected = (names: readonly string[]) =>
    names.length === 0 ? [] : [{ label: words.affected, value: foreignText(formats.list(names), NAMES_CHARS_MAX) }];
  if (event.kind === 'incident_update') {
    const state = pageWords.incidentStates[event.state];
    return {
      title: `${state}: ${foreignText(event.title, TITLE_CHARS_MAX)}`,
      paragraphs: paragraphsOf(event.text, words.more),
      facts: [{ label: words.state, value: state }, ...affected(event.components), at],
    };
  }
  if ('outage' in event) {
    const { outage } = event;
    const shown = { ...outage, component: foreignText(outage.component) };
    const { startedMs, resolvedMs } = outage;
    const text =
      resolvedMs === null
        ? beginOf(shown, pageWords)
        : endOf(shown, formats.duration(resolvedMs - startedMs), pageWords);
    const since = { label: words.time, value: `${formats.time(resolvedMs ?? startedMs)} (${time_zone})` };
    return {
      title: outageTitle(shown, pageWords),
      paragraphs: [text],
      facts: [...affected([outage.component]), since],
    };
  }
  const titles = {
    maintenance_planned: words.maintenancePlanned,
    maintenance_started: words.maintenanceStarted,
    maintenance_ended: words.maintenanceEnded,
  };
  const span = pageWords.from(formats.time(event.startsMs), formats.time(event.endsMs));
  return {
    title: titles[event.kind],
    paragraphs: [],
    facts: [...affected(event.components), { label: words.time, value: `${span} (${time_zone})` }],
  };
}

/** Links are not recognised in them: everybody with an account can write such a text to people who trust the page. */
function paragraphsOf(text: string, more: string): string[] {
  const parts = text
    .split(/\n+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const isCut = parts.length > PARAGRAPHS_MAX || parts.some((part) => part.length > PARAGRAPH_CHARS_MAX);
  const shown = parts.slice(0, PARAGRAPHS_MAX).map((part) => foreignText(part, PARAGRAPH_CHARS_MAX));
  return isCut ? [...shown, more] : shown;
}
