import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { firingQuery } from '../../../api/queries.ts';
import { texts } from './texts.ts';

/** Leads to the incidents of these monitors, as soon as they fire. */
export function Fired({ ids }: { ids: readonly string[] }) {
  const firing = useQuery(firingQuery).data?.data ?? [];
  const own = firing.filter(({ monitor_id: id }) => id !== null && ids.includes(id));
  const [first] = own;
  if (first === undefined) return null;
  return (
    <p className="note bad" role="status">
      {texts.answers.fired(own.length)}{' '}
      <Link to={own.length === 1 ? `/incidents/${first.id}` : '/incidents'}>{texts.answers.why(own.length)}</Link>
    </p>
  );
}
