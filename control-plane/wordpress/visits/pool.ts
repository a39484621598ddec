import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { TaskLease } from '../../storage/leases/leased-periodic-task.js';
import type { SiteDocument } from '../documents.js';
import type { DueSites } from '../store.js';

const VISITS_AT_ONCE = 20;
/** A workspace whose sites are slow leaves the other visits to everybody else. */
const VISITS_OF_WORKSPACE_MAX = 4;

/** Visits of sites that go on at the same time. */
export interface VisitPool {
  /** Begins the visits of due sites for which there is room, without waiting for their end. */
  begin(lease: TaskLease): Promise<void>;
  /** Resolves when all visits that were begun have ended. */
  ended(): Promise<void>;
}

export function createVisitPool(
  { clock, logger }: { clock: Pick<Clock, 'now'>; logger: Logger },
  options: { due: DueSites; visit(site: SiteDocument, signal: AbortSignal): Promise<void> },
): VisitPool {
  const running = new Map<string, { workspaceId: string; ended: Promise<void> }>();

  function workspacesWith(visits: number): string[] {
    const counts = new Map<string, number>();
    for (const { workspaceId } of running.values()) counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + 1);
    return [...counts].filter(([, count]) => count >= visits).map(([id]) => id);
  }

  function start(site: SiteDocument, signal: AbortSignal): void {
    const ended = options
      .visit(site, signal)
      .catch((err: unknown) => {
        // One site must not stop the others.
        logger.warn({ err, site: site._id }, 'visiting a WordPress site failed, retrying');
      })
      .finally(() => running.delete(site._id));
    running.set(site._id, { workspaceId: site.workspace_id, ended });
  }

  return {
    async begin(lease) {
      // A visit that fails at once leaves its site due.
      const begun: string[] = [];
      // In turns: the second visit of a workspace begins after the first of all others that have none.
      for (let share = 1; share <= VISITS_OF_WORKSPACE_MAX; share++) {
        const free = VISITS_AT_ONCE - running.size;
        if (free === 0 || !(await lease.stillHeld())) return;
        const except = { siteIds: [...running.keys(), ...begun], workspaceIds: workspacesWith(share) };
        for (const site of await options.due(clock.now(), free, except)) {
          begun.push(site._id);
          start(site, lease.stopping);
        }
      }
    },
    async ended() {
      await Promise.all([...running.values()].map((visit) => visit.ended));
    },
  };
}
