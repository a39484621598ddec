import type { Actor } from '../../actor.js';
import { duration } from '../../duration.js';
import type { Transaction } from '../../storage/transaction.js';
import { FIRING } from '../change.js';
import type { IncidentDocument } from '../documents.js';
import { type ManualNeeds, manualChange } from '../manual.js';
import { personalSilence, withSilenceLink } from './personal-silence.js';

const MINUTE_MS = 60_000;
/** A silence that ends this much earlier or later than the present one changes nothing: a loop of silences would fill the history. */
const SAME_END_MS = MINUTE_MS;

/** `forMinutes` null: until the incident is resolved. */
export interface SilenceInput {
  id: string;
  forMinutes: number | null;
}

/**
 * Stops notifications of the incident, for a time or until it is resolved. When it is resolved, channels that were
 * notified of its opening are still notified. A second silence replaces the time of the first.
 */
export function silenceIncident(
  needs: ManualNeeds,
  tx: Transaction,
  actor: Actor,
  { id, forMinutes }: SilenceInput,
): Promise<IncidentDocument> {
  const { email } = actor;
  return manualChange(needs, tx, actor, id, ({ incident, nowMs, link }) => {
    const until_ms = forMinutes === null ? null : nowMs + forMinutes * MINUTE_MS;
    if (isSilencedUntil(incident, until_ms)) return null;
    const howLong = forMinutes === null ? 'until it is resolved' : `for ${duration(forMinutes * MINUTE_MS)}`;
    return {
      action: 'alert.silenced',
      change: {
        ...{ status: 'silenced', silenced_at_ms: incident.silenced_at_ms ?? nowMs, silenced_until_ms: until_ms },
        silenced_by: email,
        ...(link && { silence_links: withSilenceLink(incident, link, nowMs) }),
      },
      event: { type: 'silenced', message: `Silenced by ${email} ${howLong}.`, until_ms },
      metadata: { for_minutes: forMinutes },
      notify: null,
    };
  });
}

/**
 * Whether a person has silenced the incident for about as long. One that a maintenance window silenced fires when the
 * window ends, unless a person silences it too. Pure.
 */
function isSilencedUntil(incident: IncidentDocument, untilMs: number | null): boolean {
  if (personalSilence(incident) === null) return false;
  const presentMs = incident.silenced_until_ms ?? null;
  if (presentMs === null || untilMs === null) return presentMs === untilMs;
  return Math.abs(presentMs - untilMs) < SAME_END_MS;
}

/** Ends the silence, and notifies channels that the incident fires. Does nothing if it fires already. */
export function unsilenceIncident(
  needs: ManualNeeds,
  tx: Transaction,
  actor: Actor,
  id: string,
): Promise<IncidentDocument> {
  return manualChange(needs, tx, actor, id, ({ incident }) => {
    if (incident.status === 'firing') return null;
    return {
      action: 'alert.unsilenced',
      change: {
        ...FIRING,
        silenced_by: null,
      },
      event: { type: 'unsilenced', message: `Silence ended by ${actor.email}.` },
      notify: 'unsilenced',
    };
  });
}
