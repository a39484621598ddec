import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { MaintenanceWindow } from '../../api/types.ts';
import { Said } from '../../components/said.tsx';
import { windowsQuery } from './queries.ts';
import { texts } from './texts/texts.ts';

interface UnderMaintenanceProps {
  of: 'monitor' | 'server';
  id: string;
  tags: readonly string[];
}

/** Says on the page of a monitor or server that maintenance is under way; nothing without any. */
export function UnderMaintenance({ of, id, tags }: UnderMaintenanceProps) {
  const rows = useQuery(windowsQuery).data?.rows ?? [];
  const active = rows.filter((window) => window.active_until !== null && isFor(window, { of, id, tags }));
  return active.map((window) => (
    <p key={window.id} className="note">
      <Link to={`/maintenance/${window.id}`}>
        <bdi>{window.name}</bdi>
      </Link>{' '}
      <Said words={(time) => texts.underWay(time(window.active_until ?? ''))} />
    </p>
  ));
}

function isFor(window: MaintenanceWindow, { of, id, tags }: UnderMaintenanceProps): boolean {
  const ids = of === 'monitor' ? window.monitor_ids : window.server_ids;
  return window.everything || ids.includes(id) || tags.some((tag) => window.tags.includes(tag));
}
