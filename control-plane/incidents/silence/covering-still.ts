import type { Maintenance } from '../../maintenance/maintenance.js';
import type { IncidentDocument, IncidentMaintenance } from '../documents.js';

/**
 * Returns the maintenance of an incident that a window silenced, as a window covers it at `nowMs`; null if none does any
 * more. Then only the end of the window lets the incident fire. `tags` are those that the resource has now.
 */
export function coveringStill(
  { maintenance }: { maintenance: Maintenance },
  {
    workspace_id: workspaceId,
    resource,
    maintenance: known,
  }: Pick<IncidentDocument, 'workspace_id' | 'resource' | 'maintenance'>,
  tags: readonly string[],
  nowMs: number,
): IncidentMaintenance | null {
  if (known == null) return null;
  const window = maintenance.covering({ workspaceId, type: resource.type, id: resource.id, tags }, nowMs);
  return window === null ? null : { ...window, fires: 'at_end' };
}
