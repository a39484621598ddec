import { type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { BlacklistMonitor } from '../../../api/types.ts';
import { LinkSince } from '../../../components/time/time.tsx';
import { VirtualRows } from '../../../components/virtual-rows.tsx';
import { number } from '../../../texts/format.ts';
import { TargetMark } from '../marks.tsx';
import { lastChangeQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';
import { latestTrend } from '../trend.ts';

const ROW_PX = 52;
const NAMES_SHOWN = 3;

interface RowsProps {
  rows: readonly BlacklistMonitor[];
  list: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
}

export function BlacklistRows({ rows, list }: RowsProps) {
  const { target, score, change, checked } = texts.columns;
  return (
    <section className="panel list-panel">
      <div className="list-head blacklist-columns" aria-hidden="true">
        {[target, score, change, checked].map((label) => (
          <span key={label}>{label}</span>
        ))}
      </div>
      <VirtualRows label={texts.title} rows={rows} rowPx={ROW_PX} list={list}>
        {(monitor) => <Row monitor={monitor} />}
      </VirtualRows>
      {list.isFetchingNextPage ? <p className="soft">{texts.loadingMore}</p> : null}
    </section>
  );
}

function Row({ monitor }: { monitor: BlacklistMonitor }) {
  const { id, target, status, score, last_checked_at: at } = monitor;
  return (
    <Link to={`/blacklists/${id}`} className="list-row blacklist-row blacklist-columns">
      <span className="list-name">
        <TargetMark status={status} quiet />
        <span className="list-names">
          <bdi className="cut strong">{target}</bdi>
          <span className="cut soft">{detailOf(monitor)}</span>
        </span>
      </span>
      <span title={texts.scoreMeaning}>{score === null ? '–' : number(score)}</span>
      <LastChange id={id} />
      <Checked at={at} />
    </Link>
  );
}

/** What the state follows from: `on SpamCop and Barracuda`. */
function detailOf({ listings, rating, responding, clean }: BlacklistMonitor): string {
  const real = listings.filter(({ policy }) => !policy).map(({ name }) => name);
  if (real.length > 0) return texts.onLists(real.slice(0, NAMES_SHOWN), Math.max(0, real.length - NAMES_SHOWN));
  if (responding === null) return texts.notChecked;
  if (rating === 'unresolvable') return texts.unresolvable;
  if (responding === 0) return texts.noAnswer;
  return listings.length > 0 ? texts.policyOn(listings.length) : texts.cleanOn(clean ?? 0);
}

/** Only rows in the page ask for their history. */
function LastChange({ id }: { id: string }) {
  const { data } = useQuery(lastChangeQuery(id));
  if (data === undefined) return <span />;
  const trend = latestTrend(data);
  if (trend === null) return <span className="soft">{texts.trend.none}</span>;
  const { added, removed, isBad, at } = trend;
  const words = added > 0 ? texts.trend.added(added) : texts.trend.removed(removed);
  return (
    <span>
      <span className={isBad ? 'tone-down' : added > 0 ? '' : 'tone-up'}>{words}</span>
      <LinkSince at={at} wrap={texts.ago} className="soft blacklist-when" />
    </span>
  );
}

function Checked({ at }: { at: string | null }) {
  if (at === null) return <span className="soft">{texts.one.never}</span>;
  return <LinkSince at={at} wrap={texts.ago} className="soft" />;
}
