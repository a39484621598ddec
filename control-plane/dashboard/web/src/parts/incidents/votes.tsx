import type { Decision } from '../../api/types.ts';
import { Mark } from '../../components/status-mark.tsx';
import { SecondTime } from '../../components/time.tsx';
import { texts } from '../../texts/app/texts.ts';
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
              <span className="soft">
                <SecondTime at={result.checked_at} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
