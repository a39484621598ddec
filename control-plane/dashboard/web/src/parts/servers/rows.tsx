import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Server } from '../../api/types.ts';
import { useNow } from '../../components/time.tsx';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { duration, exactTime } from '../../texts/format.ts';
import { ServerMark } from './marks.tsx';
import { Meter } from './meter.tsx';
import { texts } from './texts/texts.ts';

const ROW_PX = 60;

interface RowsProps {
  rows: readonly Server[];
  list: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
}

export function ServerRows({ rows, list }: RowsProps) {
  const { name, cpu, memory, disk, agent, seen } = texts.columns;
  return (
    <section className="panel server-list">
      <div className="server-head" aria-hidden="true">
        {[name, cpu, memory, disk, agent, seen].map((label) => (
          <span key={label}>{label}</span>
        ))}
      </div>
      <VirtualRows label={texts.title} rows={rows} rowPx={ROW_PX} list={list}>
        {(server) => <Row server={server} />}
      </VirtualRows>
      {list.isFetchingNextPage ? <p className="soft">{texts.loadingMore}</p> : null}
    </section>
  );
}

function Row({ server }: { server: Server }) {
  const { id, name, hostname, tags, status, metrics, agent_version, last_seen_at } = server;
  const { cpu, memory, disk } = texts.columns;
  const isOld = status !== 'online';
  return (
    <Link to={`/servers/${id}`} className="server-row">
      <span className="server-name">
        <ServerMark status={status} quiet />
        <span className="server-names">
          <bdi className="cut strong">{name}</bdi>
          <bdi className="cut soft">{[hostname, ...tags].join(' · ')}</bdi>
        </span>
      </span>
      <Meter label={cpu} percent={metrics?.cpu_percent ?? null} isOld={isOld} />
      <Meter label={memory} percent={metrics?.mem_used_percent ?? null} isOld={isOld} />
      <Meter label={disk} percent={metrics?.disk_used_percent ?? null} isOld={isOld} />
      <bdi className="cut soft server-agent">{agent_version}</bdi>
      <Seen at={last_seen_at} />
    </Link>
  );
}

function Seen({ at }: { at: string | null }) {
  const now = useNow();
  if (at === null) return <span className="soft server-seen">{texts.never}</span>;
  return (
    <time className="soft server-seen" dateTime={at} title={exactTime(at)}>
      {texts.ago(duration(now - Date.parse(at)))}
    </time>
  );
}
