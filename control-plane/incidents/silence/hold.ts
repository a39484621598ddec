import type { Dependencies, FailingThing, Hold } from '../../dependencies/dependencies.js';
import type { Transaction } from '../../storage/transaction.js';
import { shortName } from '../../wording.js';
import { SYSTEM } from '../change.js';
import type { IncidentDocument, IncidentEvent, SilentRecord } from '../documents.js';
import type { TagsNow } from './tags-now.js';

interface HoldNeeds {
  dependencies: Pick<Dependencies, 'holds'>;
  tagsNow: TagsNow;
}

/** What decides whether a monitor that an incident depends on keeps it silent. */
type Followed = Pick<
  IncidentDocument,
  'workspace_id' | 'resource' | 'started_at_ms' | 'follows_parents' | 'dependency' | 'status' | 'channels'
>;

/** Returns what keeps an incident from notifying because of a monitor that it depends on; null if nothing does. */
export async function holdNow(
  needs: HoldNeeds,
  tx: Transaction,
  incident: Followed,
  nowMs: number,
): Promise<Hold | null> {
  return (await holdsNow(needs, tx, [incident], nowMs)).get(incident) ?? null;
}

/** Like `holdNow`, for many incidents with hardly more round trips. Those without a hold are left out. */
export async function holdsNow<Incident extends Followed>(
  { dependencies, tagsNow }: HoldNeeds,
  tx: Transaction | undefined,
  incidents: readonly Incident[],
  nowMs: number,
): Promise<Map<Incident, Hold>> {
  const following = incidents.filter((incident) => incident.follows_parents === true && incident.status === 'silenced');
  if (following.length === 0) return new Map();
  const tagsOf = await tagsNow(following, tx);
  const things = following.map((incident) => failingThing(incident, tagsOf(incident)));
  const holds = await dependencies.holds(things, nowMs, tx);
  return new Map(
    following.flatMap((incident, index): [Incident, Hold][] => {
      const hold = holds[index] ?? null;
      return hold === null ? [] : [[incident, hold]];
    }),
  );
}

function failingThing(
  { workspace_id: workspaceId, resource, started_at_ms: startedAtMs, dependency, channels }: Followed,
  tags: readonly string[],
): FailingThing {
  const hold = dependency ?? null;
  // A server failed at some time after its last message, when its incident starts.
  const failingSinceMs =
    resource.type === 'server' ? Math.max(startedAtMs, hold?.since_ms ?? startedAtMs) : startedAtMs;
  return { workspaceId, type: resource.type, id: resource.id, tags, channels, failingSinceMs, hold };
}

/** Returns the event in the history of an incident that is silent because of a monitor that it depends on. */
export function heldEvent(hold: Hold, at_ms: number): IncidentEvent {
  return { at_ms, type: 'held', message: holdReason(hold), actor: SYSTEM, until_ms: hold.until_ms };
}

/** Returns what the decision record says about it. */
export function silentRecord(hold: Hold, decided_at_ms: number): SilentRecord {
  const { state, monitor_id, monitor_name, incident_id } = hold;
  return { state, monitor_id, monitor_name, incident_id, reason: holdReason(hold), decided_at_ms };
}

function holdReason({ state, monitor_name }: Hold): string {
  const name = `“${shortName(monitor_name)}”`;
  switch (state) {
    case 'waiting':
      return `Silent until Picket has checked ${name}, which it depends on.`;
    case 'parent_down':
      return `Silent because ${name} is down, which it depends on.`;
    case 'parent_recovered':
      return `Silent for two minutes after the recovery of ${name}, which it depends on.`;
  }
}

/** Returns why an incident fires that a monitor kept silent. */
export function releasedMessage({ state, monitor_name }: Hold): string {
  const name = `“${shortName(monitor_name)}”`;
  switch (state) {
    case 'waiting':
      return `The problem still exists, and ${name}, which it depends on, is not down.`;
    case 'parent_down':
      return `${name}, which it depends on, no longer keeps it silent, and the problem still exists.`;
    case 'parent_recovered':
      return `The problem still exists two minutes after the recovery of ${name}, which it depends on.`;
  }
}
