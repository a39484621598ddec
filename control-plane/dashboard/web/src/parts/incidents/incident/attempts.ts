import type { IncidentDetail } from '../../../api/types.ts';

type Sent = IncidentDetail['notifications_sent'][number];

/** Returns the attempts that say more than when the receiver accepted the notification. Pure. */
export function attemptsToShow({ sent_at, attempts, latest_attempts: latest }: Sent): Sent['latest_attempts'] {
  const isOnlySuccess = sent_at !== null && attempts === 1 && latest.every(({ error }) => error === null);
  return isOnlySuccess ? [] : latest;
}
