import type { RunNowReason } from '../../nodes/nodes.js';
import { announce } from '../change.js';
import type { MonitorDocument } from '../documents.js';
import type { ManyMonitors } from '../monitors.js';
import type { MonitorNeeds } from '../needs.js';
import { wantedOf } from '../terms/limited.js';
import { isOtherCheck } from '../update.js';
import { createBulkMonitors } from './bulk.js';
import type { PlannedChange } from './decision.js';
import { endReferences } from './end-references.js';
import { revived, revivedEvent, undoing } from './image.js';
import { decide } from './operation.js';
import { writeChanges } from './planned-change.js';
import { holdRoom } from './restore-room.js';

/** Returns what bulk changes use of this slice. */
export function createManyMonitors(needs: MonitorNeeds): ManyMonitors {
  const { store, audit, clock, locations } = needs;
  const { unknownChannels, newSettings, reserve, create } = createBulkMonitors(needs);
  return {
    ...{ unknownChannels, newSettings, reserve, create },
    select: store.select,
    async named(workspaceId, ids, tx) {
      const found: MonitorDocument[] = [];
      for await (const monitor of store.select(workspaceId, { ids }, ids.length, tx)) found.push(monitor);
      return found;
    },
    versionsOf: store.versionsOf,
    decide: (actor, monitor, operation) => decide(needs, actor, monitor, operation),
    undoing: (actor, monitor, image, version) => undoing(needs, actor, monitor, image, version),
    async write(tx, actor, planned, checkNow) {
      const written = await writeChanges(needs, tx, actor, planned);
      if (!checkNow) await announce(needs, tx, written, null);
      else
        for (const [reason, monitors] of byReason(needs, planned, written)) await announce(needs, tx, monitors, reason);
      return written;
    },
    requireUnused: (tx, actor, ids, detach) => needs.references.requireUnused(tx, actor, 'monitor', ids, detach),
    endReferences: (tx, actor, deletions, detach) => endReferences(needs, tx, actor, deletions, detach),
    async createAgain(tx, actor, deleted) {
      const codes = locations.codes();
      const monitors = deleted.map(({ image }) => revived(inLocations(image, codes), actor, clock.now()));
      await store.insert(tx, monitors);
      await audit.recordAll(
        tx,
        monitors.map((monitor, index) => ({
          ...{ actor, event: revivedEvent(monitor, deleted[index]?.removedChannels ?? []) },
        })),
      );
      await announce(needs, tx, monitors, null);
      return monitors;
    },
    announce: (tx, monitors, run) => announce(needs, tx, monitors, run),
    holdRoom: (tx, actor, deleted) => holdRoom(needs, tx, actor, deleted),
    keepRoom: (tx, workspaceId, deleted) => store.hold(tx, workspaceId, deleted),
  };
}

/** Returns a deleted monitor without the locations that were deleted since; if none is left, with one that exists. Pure. */
function inLocations(image: MonitorDocument, codes: readonly string[]): MonitorDocument {
  const wanted = wantedOf(image);
  const kept = wanted.locations.filter((code) => codes.includes(code));
  if (kept.length === wanted.locations.length) return image;
  const locations = kept.length === 0 ? codes.slice(0, 1) : kept;
  const { confirmations } = wanted;
  return {
    ...image,
    wanted: {
      ...{ ...wanted, locations },
      confirmations: confirmations === null ? null : Math.min(confirmations, locations.length),
    },
  };
}

/** Groups changed monitors by why they are checked at once: as when each of them is changed alone. */
function byReason(
  { secrets }: Pick<MonitorNeeds, 'secrets'>,
  planned: readonly PlannedChange[],
  written: readonly MonitorDocument[],
): Map<RunNowReason | null, MonitorDocument[]> {
  const groups = new Map<RunNowReason | null, MonitorDocument[]>();
  planned.forEach(({ monitor: before, change }, index) => {
    const after = written[index] ?? before;
    const reason = reasonOf();
    groups.set(reason, [...(groups.get(reason) ?? []), after]);

    function reasonOf(): RunNowReason | null {
      if (change === null) return null;
      if (before.paused_at_ms !== null && after.paused_at_ms === null) return 'resume';
      return isOtherCheck(secrets.settings(before), secrets.settings(after)) ? 'manual' : null;
    }
  });
  return groups;
}
