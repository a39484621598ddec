import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Monitor } from '../../../api/types.ts';
import { Said } from '../../../components/said.tsx';
import { useNow } from '../../../components/time/time.tsx';
import { texts } from '../../../texts/app/texts.ts';
import { duration } from '../../../texts/format.ts';
import { useCity } from '../location-list.tsx';
import { stateOf } from '../state-of.ts';
import { firingOfQuery } from './queries.ts';
import { words } from './texts/texts.ts';
import { failingNow } from './why.ts';

/** The state of a monitor in words, and why. */
export function Sentence({ monitor }: { monitor: Monitor }) {
  const now = useNow();
  const since = monitor.paused_at ?? monitor.status_changed_at;
  const state = texts.monitor.sentence;
  const lasted = duration(now - Date.parse(since));
  const status = stateOf(monitor);
  if (status === 'unknown') return state.unknown;
  if (status === 'paused') return <Said words={(time) => state.paused(time(since))} />;
  const { last_checked_at: checkedAt, interval_seconds: every, locations } = monitor;
  return (
    <>
      <Said words={(time) => state[status](time(since), lasted)} /> <Why monitor={monitor} />
      {checkedAt === null ? null : (
        <span className="soft checked">
          <Said
            words={(time) => texts.monitor.checked(time(checkedAt, 'ago'), texts.seconds(every), locations.length)}
          />
        </span>
      )}
    </>
  );
}

/** What the locations report while it fails, in one sentence, with the way to the whole record. */
function Why({ monitor }: { monitor: Monitor }) {
  const city = useCity();
  const firing = useQuery({ ...firingOfQuery(monitor.id), enabled: monitor.status === 'down' }).data;
  const failing = failingNow(monitor);
  const incident = monitor.status === 'down' ? firing?.id : undefined;
  return (
    <>
      {failing === null ? null : (
        <>
          {words.why.failing(failing.failing, failing.all, texts.errors[failing.code] ?? failing.message)}
          {failing.failing === failing.all ? '' : words.why.where(failing.where.map(city))};{' '}
          {words.why.needed(failing.needed)}.{' '}
        </>
      )}
      {incident === undefined ? null : (
        <>
          <Link to={`/incidents/${incident}`}>{words.why.open}</Link>{' '}
        </>
      )}
    </>
  );
}
