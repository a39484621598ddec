import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { Monitor } from '../../api/types.ts';
import { StatusMark } from '../../components/status-mark.tsx';
import { useNow } from '../../components/time.tsx';
import { texts } from '../../texts/app/texts.ts';
import { duration, exactTime, milliseconds, percent } from '../../texts/format.ts';
import { stateOf } from './state-of.ts';

const ROW_PX = 52;
const OVERSCAN_ROWS = 10;
/** The next page is read when this many rows are left below the window. */
const AHEAD_ROWS = 60;
const EXPIRES_SOON_DAYS = 14;

interface MonitorRowsProps {
  rows: readonly Monitor[];
  list: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
}

/** The list of monitors. Only the rows near the window are in the page, so ten thousand cost no more than fifty. */
export function MonitorRows({ rows, list }: MonitorRowsProps) {
  const element = useRef<HTMLDivElement>(null);
  const virtual = useWindowVirtualizer({
    ...{ count: rows.length, estimateSize: () => ROW_PX, overscan: OVERSCAN_ROWS },
    scrollMargin: element.current?.offsetTop ?? 0,
    getItemKey: (index) => rows[index]?.id ?? index,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && last >= rows.length - AHEAD_ROWS) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage, last, rows.length]);
  const { name, uptime, response, certificate, checked } = texts.monitors.columns;
  return (
    <section className="panel monitor-list">
      <div className="monitor-head" aria-hidden="true">
        <span>{name}</span>
        {[uptime, response, certificate, checked].map((label) => (
          <span key={label}>{label}</span>
        ))}
      </div>
      <div ref={element}>
        <ul className="monitor-rows" aria-label={texts.monitors.title} style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, key, start }) => {
            const monitor = rows[index];
            const style = { transform: `translateY(${start - virtual.options.scrollMargin}px)` };
            return monitor === undefined ? null : (
              <li
                key={String(key)}
                style={style}
                aria-setsize={hasNextPage ? -1 : rows.length}
                aria-posinset={index + 1}
              >
                <MonitorRow monitor={monitor} />
              </li>
            );
          })}
        </ul>
      </div>
      {isFetchingNextPage ? <p className="soft">{texts.monitors.loadingMore}</p> : null}
    </section>
  );
}

function MonitorRow({ monitor }: { monitor: Monitor }) {
  const { id, name, url, uptime_24h, coverage_24h, response_time_ms, last_checked_at } = monitor;
  const observed = texts.monitors.observed(percent(coverage_24h));
  return (
    <Link to={`/monitors/${id}`} className="monitor-row">
      <span className="monitor-name">
        <StatusMark state={stateOf(monitor)} quiet />
        <span className="monitor-names">
          <bdi className="cut strong">{name}</bdi>
          <bdi className="cut soft">{url}</bdi>
        </span>
      </span>
      <span title={observed} className="cell-uptime">
        {uptime_24h === null ? '–' : percent(uptime_24h)}
      </span>
      <span className="cell-response">{response_time_ms === null ? '–' : milliseconds(response_time_ms)}</span>
      <Certificate ssl={monitor.ssl} />
      <Checked at={last_checked_at} />
    </Link>
  );
}

function Certificate({ ssl }: Pick<Monitor, 'ssl'>) {
  if (ssl === null) return <span className="cell-certificate soft">–</span>;
  const { days_remaining: days } = ssl;
  const tone = days < 0 ? 'tone-down' : days <= EXPIRES_SOON_DAYS ? 'tone-warning' : '';
  return (
    <span className={`cell-certificate ${tone}`}>{days < 0 ? texts.monitors.expired : texts.monitors.days(days)}</span>
  );
}

function Checked({ at }: { at: string | null }) {
  const now = useNow();
  if (at === null) return <span className="cell-checked soft">{texts.monitors.never}</span>;
  return (
    <time className="cell-checked soft" dateTime={at} title={exactTime(at)}>
      {texts.monitors.ago(duration(now - Date.parse(at)))}
    </time>
  );
}
