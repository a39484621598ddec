import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Server } from '../../api/types.ts';
import { LinkSince, useNow } from '../../components/time/time.tsx';
import { useMedia } from '../../components/use-media.ts';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { fullIn } from './full-in.ts';
import { ServerMark } from './marks.tsx';
import { Meter } from './meter.tsx';
import { texts } from './texts/texts.ts';

const ROW_PX = 60;
/** On phones, the bars have their names above them. */
const PHONE_ROW_PX = 84;
const PHONE = '(max-width: 640px)';

interface RowsProps {
  rows: readonly Server[];
  list: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
}

export function ServerRows({ rows, list }: RowsProps) {
  const { name, cpu, memory, disk, agent, seen } = texts.columns;
  const rowPx = useMedia(PHONE) ? PHONE_ROW_PX : ROW_PX;
  return (
    <section className="panel list-panel">
      <div className="list-head server-columns" aria-hidden="true">
        {[name, cpu, memory, disk, agent, seen].map((label) => (
          <span key={label}>{label}</span>
        ))}
      </div>
      <VirtualRows label={texts.title} rows={rows} rowPx={rowPx} list={list}>
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
    <Link to={`/servers/${id}`} className="list-row server-row server-columns">
      <span className="list-name">
        <ServerMark status={status} quiet />
        <span className="list-names">
          <bdi className="cut strong">{name}</bdi>
          <bdi className="cut soft">{[...(hostname === name ? [] : [hostname]), ...tags].join(' · ')}</bdi>
        </span>
      </span>
      <Meter label={cpu} percent={metrics?.cpu_percent ?? null} isOld={isOld} />
      <Meter label={memory} percent={metrics?.mem_used_percent ?? null} isOld={isOld} />
      <span className="server-disk">
        <Meter label={disk} percent={metrics?.disk_used_percent ?? null} isOld={isOld} />
        <FullIn server={server} />
      </span>
      <bdi className="cut soft server-agent">{agent_version}</bdi>
      <Seen at={last_seen_at} />
    </Link>
  );
}

function Seen({ at }: { at: string | null }) {
  if (at === null) return <span className="soft server-seen">{texts.never}</span>;
  return <LinkSince at={at} wrap={texts.ago} className="soft server-seen" />;
}

/** The disk that fills up first, if that is soon. */
function FullIn({ server }: { server: Server }) {
  const full = fullIn(server, useNow());
  if (full === null) return null;
  const { mount, left } = full;
  return (
    <span className="server-full tone-warning cut" title={texts.fullIn(mount, left)}>
      <span className="only-spoken">{mount}</span> {texts.fullInShort(left)} <bdi aria-hidden="true">{mount}</bdi>
    </span>
  );
}
