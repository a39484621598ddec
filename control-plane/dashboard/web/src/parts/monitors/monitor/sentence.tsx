import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Monitor } from '../../../api/types.ts';
import { useNow } from '../../../components/time.tsx';
import { texts } from '../../../texts/app/texts.ts';
import { duration, shortTime } from '../../../texts/format.ts';
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
  if (status === 'paused') return state.paused(shortTime(since, now));
  const ago = monitor.last_checked_at === null ? null : duration(now - Date.parse(monitor.last_checked_at));
  return (
    <>
      {state[status](shortTime(since, now), lasted)} <Why monitor={monitor} />
      {ago === null ? null : (
        <span className="soft checked">
          {texts.monitor.checked(ago, texts.seconds(monitor.interval_seconds), monitor.locations.length)}
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
