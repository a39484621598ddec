import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { outcomeOf } from './job/outcome.ts';
import { changesQuery, isRunning } from './job/queries.ts';
import { texts } from './texts/texts.ts';

/** The bulk change that is being applied or undone, whoever began it, so that nobody who left it has to search. */
export const RunningChange = memo(function RunningChange() {
  const [newest] = useInfiniteQuery(changesQuery).data?.pages ?? [];
  const running = newest?.data.find(isRunning);
  return (
    <div role="status">
      {running === undefined ? null : (
        <p className="note">
          {texts.running(texts.titles[running.operation], outcomeOf(running))}{' '}
          <Link to="/monitors/changes">{texts.history}</Link>
        </p>
      )}
    </div>
  );
});

/** Who has deleted every monitor finds the way back here. */
export function EarlierChanges() {
  const [newest] = useInfiniteQuery(changesQuery).data?.pages ?? [];
  if (newest === undefined || newest.data.length === 0) return null;
  return (
    <p>
      <Link to="/monitors/changes">{texts.history}</Link>
    </p>
  );
}
