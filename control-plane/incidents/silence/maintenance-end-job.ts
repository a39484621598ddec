import { createPeriodicTask, type PeriodicTask } from '../../../kernel/periodic-task.js';
import type { IncidentMaintenance } from '../documents.js';
import { afterSilence } from './after-silence.js';
import { coveringStill } from './covering-still.js';
import { coveringNow, type SilenceEndNeeds } from './end-job.js';
import type { MaintainedIncident } from './maintained-store.js';

/** An incident fires at most this long after the end of its maintenance window. */
const PERIOD_MS = 5_000;
/** Incidents whose tags are read at once. */
const BATCH_INCIDENTS = 500;

/**
 * Returns the periodic task that compares silenced incidents with the maintenance windows as they are now: they may have been
 * extended, ended early or deleted, and the resource may have other tags. Where no window covers an incident any more, it fires, unless new checks decide that.
 * Every control plane runs it: the filter of the write lets one of them change an incident.
 */
export function createMaintenanceEnd(needs: SilenceEndNeeds): PeriodicTask & { runOnce(): Promise<void> } {
  const { clock, logger, store } = needs;
  const compareAll = async (incidents: readonly MaintainedIncident[]) => {
    const tagsOf = await needs.tagsNow(incidents);
    for (const incident of incidents) {
      try {
        await compare(needs, incident, tagsOf(incident), clock.now());
      } catch (err) {
        logger.warn({ err, incident: incident._id }, 'failed to end the maintenance of an incident, retrying');
      }
    }
  };
  const runOnce = async () => {
    let batch: MaintainedIncident[] = [];
    for await (const incident of store.silencedByMaintenance()) {
      batch.push(incident);
      if (batch.length < BATCH_INCIDENTS) continue;
      await compareAll(batch);
      batch = [];
    }
    await compareAll(batch);
  };
  const task = createPeriodicTask({
    clock,
    periodMs: PERIOD_MS,
    run: runOnce,
    onFailure: (err) =>
      logger.warn({ err, task: 'maintenance end' }, 'failed to find incidents that maintenance silenced, retrying'),
  });
  return { ...task, runOnce };
}

async function compare(
  needs: SilenceEndNeeds,
  incident: MaintainedIncident,
  tags: readonly string[],
  nowMs: number,
): Promise<void> {
  const { maintenance: known, silenced_by } = incident;
  const isSilencedByPerson = (silenced_by ?? null) !== null;
  const covering = coveringStill(needs, incident, tags, nowMs);
  if (covering !== null) return keep(needs, incident, { ...covering, fires: known.fires });
  if (isSilencedByPerson) return keep(needs, incident, null);
  if (known.fires === 'at_end') return fire(needs, incident);
  if (known.until_ms > nowMs) await keep(needs, incident, { ...known, until_ms: nowMs });
}

/** Notes what silences the incident now. */
async function keep(
  { store }: SilenceEndNeeds,
  incident: MaintainedIncident,
  maintenance: IncidentMaintenance | null,
): Promise<void> {
  const { id, name, until_ms } = incident.maintenance;
  if (maintenance?.id === id && maintenance.name === name && maintenance.until_ms === until_ms) return;
  await store.setMaintenance(incident, maintenance);
}

async function fire(needs: SilenceEndNeeds, { _id: id, workspace_id: workspaceId }: MaintainedIncident): Promise<void> {
  // Another control plane may just have extended the window.
  await needs.maintenance.refresh();
  await needs.runTransaction(async (tx) => {
    const nowMs = needs.clock.now();
    const incident = await needs.store.find(workspaceId, id, tx);
    if (incident?.status !== 'silenced' || (incident.silenced_by ?? null) !== null) return;
    if (incident.maintenance == null || (await coveringNow(needs, tx, incident, nowMs)) !== null) return;
    await afterSilence(needs, tx, incident, {
      target: { workspaceId, id, status: 'silenced' },
      change: {},
      message: 'The maintenance window ended, and the problem still exists.',
      nowMs,
    });
  });
}
