import { Link } from '@tanstack/react-router';
import type { Server } from '../../api/types.ts';
import { StatusMark } from '../../components/status-mark.tsx';
import { useNow } from '../../components/time/time.tsx';
import { texts } from '../../texts/app/texts.ts';
import { percent } from '../../texts/format.ts';
import { fullIn } from '../servers/full-in.ts';

/** Disks that will be full within a day, of which no incident says so yet. */
export function FillingList({ servers }: { servers: readonly Server[] }) {
  const now = useNow();
  const words = texts.overview.filling;
  return (
    <section className="panel">
      <h2>{words.title}</h2>
      <ul className="rows">
        {servers.map((server) => {
          const full = fullIn(server, now);
          return full === null ? null : (
            <li key={server.id}>
              <Link to={`/servers/${server.id}`} className="row">
                <StatusMark state="warning" quiet />
                <strong className="row-main two-lines">
                  <bdi>{server.name}</bdi>
                </strong>
                <span className="row-side filling-disk">
                  {words.fullIn(full.left)}{' '}
                  <bdi className="two-lines">{`${full.mount} ${percent(server.disk_forecast?.used_percent ?? 0)}`}</bdi>
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
