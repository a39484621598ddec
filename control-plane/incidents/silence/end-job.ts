import type { Logger } from '../../../kernel/logger.js';
import { createPeriodicTask, type PeriodicTask } from '../../../kernel/periodic-task.js';
import type { RunTransaction, Transaction } from '../../storage/transaction.js';
import { shortName } from '../../wording.js';
import { SYSTEM } from '../change.js';
import type { IncidentDocument, IncidentMaintenance } from '../documents.js';
import type { OpeningNeeds } from '../needs.js';
import { onTimeline } from '../on-timeline.js';
import { afterSilence } from './after-silence.js';
import { coveringStill } from './covering-still.js';

/** An incident fires again at most this long after its silence has ended. */
const PERIOD_MS = 5_000;
/** The next run takes the others. */
const INCIDENTS_PER_RUN_MAX = 200;

export interface SilenceEndNeeds extends OpeningNeeds {
  runTransaction: RunTransaction;
  logger: Logger;
}

/**
 * Returns the periodic task that lets incidents fire again when their silence has ended. The incident is not resolved, so
 * its cause still holds. Every control plane runs it: the filter of the write lets one of them change an incident.
 */
export function createSilenceEnd(needs: SilenceEndNeeds): PeriodicTask & { runOnce(): Promise<void> } {
  const { clock, logger } = needs;
  const runOnce = async () => {
    for (const target of await needs.store.silencesEnded(clock.now(), INCIDENTS_PER_RUN_MAX)) {
      try {
        await endSilence(needs, target);
      } catch (err) {
        logger.warn({ err, incident: target.id }, 'failed to end the silence of an incident, retrying');
      }
    }
  };
  const task = createPeriodicTask({
    clock,
    periodMs: PERIOD_MS,
    run: runOnce,
    onFailure: (err) => logger.warn({ err, task: 'silence end' }, 'failed to find silences that have ended, retrying'),
  });
  return { ...task, runOnce };
}

function endSilence(needs: SilenceEndNeeds, target: { workspaceId: string; id: string }): Promise<void> {
  return needs.runTransaction(async (tx) => {
    const nowMs = needs.clock.now();
    const incident = await needs.store.find(target.workspaceId, target.id, tx);
    const window = incident === null ? null : await coveringNow(needs, tx, incident, nowMs);
    if (window !== null) {
      const message = `The silence ended; the maintenance window “${shortName(window.name)}” still silences it.`;
      const silenced = await needs.store.change(
        tx,
        { ...target, status: 'silenced', silenceEndedMs: nowMs },
        { silenced_until_ms: null, silenced_by: null, maintenance: window },
        { at_ms: nowMs, type: 'silenced', message, actor: SYSTEM, until_ms: window.until_ms },
      );
      if (silenced !== null) await onTimeline(needs, tx, [silenced]);
      return;
    }
    if (incident === null) return;
    await afterSilence(needs, tx, incident, {
      target: { ...target, status: 'silenced', silenceEndedMs: nowMs },
      change: { silenced_until_ms: null, silenced_by: null },
      message: 'The silence ended, and the problem still exists.',
      nowMs,
    });
  });
}

/** Like `coveringStill`, with the tags that the resource has in this transaction. */
export async function coveringNow(
  needs: SilenceEndNeeds,
  tx: Transaction,
  incident: IncidentDocument,
  nowMs: number,
): Promise<IncidentMaintenance | null> {
  if (incident.maintenance == null) return null;
  const tagsOf = await needs.tagsNow([incident], tx);
  return coveringStill(needs, incident, tagsOf(incident), nowMs);
}
