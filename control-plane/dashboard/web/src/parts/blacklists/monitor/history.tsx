import { useInfiniteQuery } from '@tanstack/react-query';
import type { BlacklistCheck } from '../../../api/types.ts';
import { MoreButton } from '../../../components/more-button.tsx';
import { Mark } from '../../../components/status-mark.tsx';
import { Time } from '../../../components/time/time.tsx';
import { changesQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';

const MARKS = { listed: 'down', delisted: 'up', dropped: 'unknown' } as const;

/** The checks that found a change, newest first. */
export function History({ id }: { id: string }) {
  const list = useInfiniteQuery(changesQuery(id));
  const { data } = list;
  const checks = data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <section className="panel">
      <h2>{texts.history.title}</h2>
      {data !== undefined && checks.length === 0 ? <p className="soft">{texts.history.none}</p> : null}
      <ul className="rows">
        {checks.map((check) => (
          <Check key={check.id} check={check} />
        ))}
      </ul>
      <MoreButton list={list} label={texts.history.more} />
    </section>
  );
}

function Check({ check: { changes, checked_at, score } }: { check: BlacklistCheck }) {
  return (
    <li className="row answer">
      <span className="row-main">
        {changes.map(({ provider, kind, name, reason, policy }) => (
          <span key={`${provider} ${kind}`} className="change">
            <Mark
              as={kind === 'listed' && policy ? 'info' : MARKS[kind]}
              word={texts.history[kind](name)}
              quiet={false}
            />
            {kind !== 'listed' || reason === null ? null : <bdi className="row-detail two-lines">{reason}</bdi>}
          </span>
        ))}
      </span>
      <span className="row-side">
        <Time at={checked_at} />
        {score === null ? null : <span className="row-detail">{texts.history.score(texts.score(score))}</span>}
      </span>
    </li>
  );
}
