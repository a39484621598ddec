import { duration } from '../../../duration.js';
import type { LocationVote } from '../../../incidents/kind.js';
import type { Said } from '../said.js';
import { type Cause, type CauseWords, causeOf } from './cause.js';
import { parsedFact } from './facts.js';
import { metricsEn } from './metrics-en.js';

/** A sentence in the language of the page; in English if the page has no words for it. */
export interface Translated {
  text: string;
  isEnglish: boolean;
}

const VOTES: Record<LocationVote['counted'], string> = { down: 'down', up: 'up', failing: 'fails', none: 'no vote' };

/** The same for a sentence with times. */
export interface TranslatedSaid {
  said: Said;
  isEnglish: boolean;
}

const CAUSE: CauseWords = {
  metrics: metricsEn,
  number: (value) => value.toLocaleString('en', { maximumFractionDigits: 2 }),
  outage: (failing, of, failures) =>
    `${failing} of ${of} ${of === 1 ? 'location' : 'locations'} ${failing === 1 ? 'reports' : 'report'} an outage: ${failures}.`,
  error: (code) => code.replaceAll('_', ' '),
  city: (_code, city) => city,
  offline: (since) => ['No sample from the agent of the server since ', since, '.'],
  disk: (mount, used) => `${mount}: ${used} % used`,
  diskFull: (at) => [', expected to be full by ', at, '.'],
  expires: (at) => ['The certificate expires on ', at, '.'],
  expired: (at) => ['The certificate expired on ', at, '.'],
  issuer: (issuer) => `Issued by ${issuer}.`,
  // The sentence of the incident has no time, but the text of the list and its addresses.
  listed: null,
};

/** The texts of the page. Arguments and results are text that the page escapes, unless a name ends with `Html`. */
export const en = {
  state: (state: string) => state,
  resolved: 'RESOLVED',
  acknowledged: 'acknowledged',
  silenced: 'silenced',
  /** Returns null where the sentence of the incident is the cause. */
  cause: (cause: Cause): Said | null => causeOf(cause, CAUSE),
  /** Label of the sentence of the incident, where it is not the cause. */
  wording: 'Text of the notification',
  duration: (ms: number) => duration(ms),
  since: (lasted: string, fromHtml: string) => `For ${lasted}, since ${fromHtml}`,
  fromTo: (lasted: string, fromHtml: string, toHtml: string) => `For ${lasted}, from ${fromHtml} to ${toHtml}`,
  unchanged: {
    title: 'Nothing was changed:',
    resolved: 'the incident is resolved.',
    before: 'this was done before.',
  },
  acknowledgedHtml: (atHtml: string, byHtml: string) =>
    `<b>Acknowledged</b> at ${atHtml} by ${byHtml}. Reminders and escalation have stopped.`,
  linkOf: (channel: string) => `a link in the channel “${channel}”`,
  unknown: 'unknown',
  maintenance: 'a maintenance window',
  silencedHtml: (byHtml: string) => `<b>Silenced</b> by ${byHtml}.`,
  untilResolved: 'Picket sends no more notifications until the incident is resolved.',
  untilHtml: (atHtml: string) =>
    `Picket sends no notifications until ${atHtml}. If the problem still exists then, the incident fires again.`,
  isResolved: 'This incident is resolved.',
  open: 'Open in Picket',
  linkLabel: (label: string) => label,
  footerHtml: (channelHtml: string, untilHtml: string, isResolved: boolean) =>
    `This link was sent to the channel ${channelHtml} and works until ${untilHtml}. Everybody who has it can ${
      isResolved ? 'see this page' : 'see this page, and acknowledge or silence the incident'
    }.`,
  recordedHtml: (personHtml: string) => `Picket records that ${personHtml} did it.`,
  acknowledge: 'Acknowledge',
  acknowledgeHelp: 'You are on it: reminders and escalation stop',
  silence: 'Silence: no notifications of this incident',
  silenceUntilResolved: 'Until resolved',
  silenceFor: (lasted: string) => `For ${lasted}`,
  votes: 'Votes when the incident was opened',
  vote: (counted: LocationVote['counted']) => VOTES[counted],
  reason: (reason: string) => reason,
  /** Why a check failed. */
  failure: (_code: string | null, message: string): Translated => ({ text: message, isEnglish: true }),
  city: (_code: string, city: string) => city,
  checkedHtml: (atHtml: string) => `checked at ${atHtml}`,
  more: (count: number) => `and ${count} more`,
  details: 'Details',
  target: 'Target',
  decision: 'Decision',
  /** Why the locations were enough to open the incident. */
  decided: (reason: string): Translated => ({ text: reason, isEnglish: true }),
  label: (label: string) => label,
  /** The value of a line of the incident. */
  fact(label: string, value: string): TranslatedSaid {
    const fact = parsedFact(label, value);
    return { said: fact?.type === 'lookups' ? [{ atMs: fact.atMs }, ', by two lookups'] : [value], isEnglish: false };
  },
  notice: {
    refused: 'This link does not work',
    refusedText:
      'Links in notifications work for 24 hours. This one has expired, was revoked, or was not copied completely.',
    logIn: 'Log in to see what is wrong now, and to acknowledge incidents.',
    openPicket: 'Open Picket',
    tooMany: 'Too many links that do not work',
    tooManyText: (seconds: string) =>
      `Your network has opened too many links that do not work. Try again in ${seconds} ${
        seconds === '1' ? 'second' : 'seconds'
      }. A link that works is not affected.`,
    unavailable: 'Picket is not available',
    unavailableText: 'Its database does not answer. Load this page again in a few seconds.',
  },
};
