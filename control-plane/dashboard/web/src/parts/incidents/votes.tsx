import type { Decision } from '../../api/types.ts';
import { Mark } from '../../components/status-mark.tsx';
import { texts } from '../../texts/app/texts.ts';
import { clockTime, exactTime } from '../../texts/format.ts';
import { useCity } from '../monitors/location-list.tsx';
import { voteMark, voteText } from './vote-words.ts';

/** One tile for each location: what it saw, and when. */
export function Votes({ votes }: Pick<Decision, 'votes'>) {
  const city = useCity();
  return (
    <section className="panel">
      <h2>{texts.incident.votes}</h2>
      <ul className="votes">
        {votes.map(({ location, counted_as, not_counted_because: why, result }) => (
          <li key={location} className={`vote vote-${counted_as}`}>
            <span className="vote-head">
              <strong>{city(location)}</strong>
              <Mark {...voteMark({ counted_as })} quiet />
            </span>
            <span>{voteText({ counted_as, result })}</span>
            {why === null ? null : <span className="soft">{texts.incident.notCounted[why]}</span>}
            {result === null ? null : (
              <time className="soft" dateTime={result.checked_at} title={exactTime(result.checked_at)}>
                {clockTime(result.checked_at)}
              </time>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
