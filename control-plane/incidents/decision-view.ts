import { Type } from 'typebox';
import { toIso } from '../../kernel/clock.js';
import type { NotificationSent } from './incidents.js';

/** The fields of a sent notification that the decisions of all kinds have. */
export const SENT_NOTIFICATION = {
  channel: Type.String(),
  channel_id: Type.String(),
  event: Type.String(),
  sent_at: Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] }),
};

/** Returns the notifications that their receivers accepted, each with the time elapsed since `fromMs`; null if `fromMs` is null. */
export function sentNotifications(sent: readonly NotificationSent[], fromMs: number | null) {
  return sent.flatMap(({ channel, channel_id, event, sent_at_ms }) => {
    if (sent_at_ms === null) return [];
    const elapsedMs = fromMs === null ? null : Math.round(sent_at_ms - fromMs);
    return [{ notification: { channel, channel_id, event, sent_at: toIso(sent_at_ms) }, elapsedMs }];
  });
}

/** Returns the time as ISO 8601; null without a time. */
export function optionalIso(atMs: number | null | undefined): string | null {
  return atMs === null || atMs === undefined ? null : toIso(atMs);
}
