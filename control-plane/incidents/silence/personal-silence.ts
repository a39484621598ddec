import { SYSTEM } from '../change.js';
import type { IncidentDocument, UsedLink } from '../documents.js';

/** Channels of the newest links that silenced an incident. An earlier link could do it once more. */
const SILENCE_LINKS_MAX = 100;

type Silenced = Pick<IncidentDocument, 'events' | 'silenced_by' | 'silence_links'>;

/**
 * Returns who silenced the incident; null if nobody did, or if that silence has ended. A maintenance window can silence an
 * incident too: that silence ends with the window.
 */
export function personalSilence({ silenced_by, events }: Silenced): string | null {
  if (silenced_by !== undefined) return silenced_by;
  // Of an incident that was silenced before it had the field.
  const newest = events.findLast(
    ({ type, actor }) => type === 'unsilenced' || (type === 'silenced' && actor !== SYSTEM),
  );
  return newest?.type === 'silenced' ? newest.actor : null;
}

/** Whether a link of the channel silenced the incident at this time or later. */
export function isSilencedByLink({ events, silence_links = [] }: Silenced, channelId: string, fromMs: number): boolean {
  return (
    silence_links.some(({ channel_id, at_ms }) => channel_id === channelId && at_ms >= fromMs) ||
    // Of an incident that was silenced before it had the field.
    events.some(({ type, at_ms, link }) => type === 'silenced' && link?.channel_id === channelId && at_ms >= fromMs)
  );
}

/** Returns the links of the incident after one of them silenced it. Pure. */
export function withSilenceLink({ silence_links = [] }: Silenced, { channel_id }: UsedLink, at_ms: number) {
  const others = silence_links.filter((one) => one.channel_id !== channel_id);
  return [...others, { channel_id, at_ms }].slice(-SILENCE_LINKS_MAX);
}
