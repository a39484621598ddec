import type { IncidentDetail } from '../../../api/types.ts';
import { type Said, say } from '../../../texts/said.ts';
import { texts } from '../texts/texts.ts';

type Event = IncidentDetail['events'][number];
type Link = Event['link'];

/** Returns who did something, in words: a person, or those who got a notification with a link. Pure. */
export function whoDid(actor: string, link: Link): string {
  if (link === null) return actor;
  return link.person === null ? texts.linkOf(link.channel_name) : texts.personByLink(link.person, link.channel_name);
}

/** As `whoDid`, after "by". Pure. */
export const whoByLink = (actor: string, link: Link): string =>
  link !== null && link.person === null ? texts.byLinkOf(link.channel_name) : whoDid(actor, link);

/**
 * Returns what happened to an incident in the language of the page, from the fields of the event. Events that need more
 * than their fields have the API's own sentence. Pure.
 */
export function eventSentence(
  { type, actor, message, until, link }: Event,
  { kind, resolution, facts }: Pick<IncidentDetail, 'kind' | 'resolution' | 'facts'>,
): Said {
  const isPicket = actor === 'system';
  const who = whoDid(actor, link);
  switch (type) {
    case 'opened':
      // The page says why, in its head and below it.
      return kind === 'monitor' || facts !== null ? [texts.happened.opened] : [message];
    case 'acknowledged':
      return [texts.happened.acknowledged(who)];
    case 'silenced':
      if (isPicket) return [texts.happened.maintenance];
      if (until === null) return [texts.happened.silenced(who)];
      return say((time) => texts.happened.silencedUntil(who, time(until)));
    case 'held':
      return [texts.happened.held];
    case 'unsilenced':
      return [isPicket ? texts.happened.silenceOver : texts.happened.unsilenced(who)];
    case 'channel_removed':
      return [texts.happened.channelRemoved(who)];
    case 'commented':
      return [texts.happened.commented(who)];
    case 'resolved':
      if (!isPicket) return [texts.happened.resolved(who)];
      return [texts.resolution[resolution ?? ''] ?? message];
    default:
      return [message];
  }
}
