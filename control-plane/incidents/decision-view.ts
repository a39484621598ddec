import { type Static, Type } from 'typebox';
import { toIso } from '../../kernel/clock.js';
import { HOLD_STATES } from '../dependencies/dependencies.js';
import { nullable } from '../http/input/nullable.js';
import type { IncidentDecision } from './documents.js';
import type { NotificationSent } from './incidents.js';

/** The fields of a sent notification that the decisions of all kinds have. */
export const SENT_NOTIFICATION = {
  channel: Type.String(),
  channel_id: Type.String(),
  event: Type.String(),
  sent_at: Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] }),
};

/** The field of the decisions of all kinds that says why nobody was notified. */
export const SilentDecision = nullable(
  Type.Object(
    {
      state: Type.Enum(HOLD_STATES),
      monitor_id: Type.String(),
      monitor_name: Type.String(),
      incident_id: nullable(Type.String()),
      reason: Type.String({ examples: ['Silent because “Router” is down, which it depends on.'] }),
      decided_at: Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] }),
    },
    { additionalProperties: false },
  ),
  { description: 'The last reason why it was silent because of a monitor that it depends on; null if it never was.' },
);

/** Returns why nobody was notified, as `SilentDecision` describes it. */
export function silentView({ silent }: IncidentDecision): Static<typeof SilentDecision> {
  if (silent === undefined) return null;
  const { decided_at_ms, ...rest } = silent;
  return { ...rest, decided_at: toIso(decided_at_ms) };
}

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
