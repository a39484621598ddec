import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { apiPath } from '../../api/path.ts';
import type { Server, ServerDisk } from '../../api/types.ts';
import { useMayWrite } from '../../app/account.ts';
import { editOf, useForgotten } from '../../components/form/use-draft.ts';
import { Gone } from '../../components/page/gone.tsx';
import { PageHead } from '../../components/page/page-head.tsx';
import { UnreadPage } from '../../components/page/unread-page.tsx';
import { Said } from '../../components/said.tsx';
import { useNow } from '../../components/time/time.tsx';
import { duration } from '../../texts/format.ts';
import { UnderMaintenance } from '../maintenance/under-maintenance.tsx';
import { OnStatusPages } from '../status-pages/on-status-pages.tsx';
import { ServerMark } from './marks.tsx';
import { disksQuery, serverQuery } from './queries.ts';
import { ServerActions } from './server/actions.tsx';
import { Charts } from './server/charts.tsx';
import { Disks } from './server/disks.tsx';
import { soonestFull } from './server/forecast.ts';
import { Interfaces } from './server/interfaces.tsx';
import { Inventory } from './server/inventory.tsx';
import { Now } from './server/now.tsx';
import { ProcessList } from './server/processes.tsx';
import { Rules } from './server/rules.tsx';
import { texts } from './texts/texts.ts';
import { roughly } from './units.ts';
import './servers.css';
import './server/server.css';

export function ServerPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  // Another server is another page, with its own choices and answers.
  return <OneServer key={id} id={id} />;
}

function OneServer({ id }: { id: string }) {
  const { data: server, error, refetch } = useQuery(serverQuery(id));
  const disks = useQuery({ ...disksQuery(id), enabled: server !== undefined });
  const mayWrite = useMayWrite();
  const path = apiPath`/v1/servers/${id}`;
  useForgotten(mayWrite ? null : editOf(path));
  if (server === undefined) {
    return (
      <UnreadPage
        key={id}
        error={error}
        retry={() => void refetch()}
        gone={<Gone text={texts.one.notFound} to="/servers" label={texts.join.all} edited={path} />}
      />
    );
  }
  const full = server.status === 'online' ? soonestFull(disks.data ?? []) : null;
  return (
    <>
      <PageHead
        title={server.name}
        mark={<ServerMark status={server.status} quiet />}
        sentence={<Sentence server={server} full={full} />}
        tone={server.status === 'offline' ? 'down' : full === null ? 'idle' : 'warning'}
        actions={mayWrite ? <ServerActions server={server} /> : undefined}
      />
      <UnderMaintenance of="server" id={server.id} tags={server.tags} />
      <OnStatusPages of="server" id={server.id} tags={server.tags} />
      <div className="stack">
        <Now server={server} disks={disks.data ?? []} />
        <Charts server={server} />
        <Disks server={server} disks={disks} />
        <div className="columns">
          <ProcessList server={server} />
          <div className="stack">
            <Inventory server={server} />
            <Rules server={server} />
          </div>
        </div>
        <Interfaces id={server.id} />
      </div>
    </>
  );
}

function Sentence({ server, full }: { server: Server; full: ServerDisk | null }) {
  const now = useNow();
  const { status, status_changed_at: since, status_as_of: asOf, last_seen_at: seen } = server;
  const words = texts.one;
  if (status === 'pending') return words.pending;
  if (status === 'offline') {
    const isOld = now - Date.parse(asOf) > OUTDATED_MS;
    return (
      <>
        <Said words={(time) => words.offline(time(since), duration(now - Date.parse(since)))} />
        {isOld ? (
          <span className="sentence-note">
            {' '}
            <Said words={(time) => words.unknownSince(time(asOf))} />
          </span>
        ) : null}
      </>
    );
  }
  return (
    <>
      {words.online}
      {full === null ? '' : fillsUp(full, now)}.{' '}
      {seen === null ? null : (
        <span className="sentence-note">
          <Said words={(time) => words.lastSample(time(seen, 'ago'))} />
        </span>
      )}
    </>
  );
}

/** The page reads the status every minute at least. */
const OUTDATED_MS = 180_000;

function fillsUp({ mount, forecast }: ServerDisk, now: number): string {
  if (forecast === null) return texts.one.full(mount);
  return texts.one.fills(mount, roughly(Date.parse(forecast.full_at) - now));
}
