import type { Decision } from '../../../api/types.ts';
import { Said } from '../../../components/said.tsx';
import { Mark } from '../../../components/status-mark.tsx';
import { SecondTime } from '../../../components/time/time.tsx';
import { texts } from '../../../texts/app/texts.ts';
import { useCity } from '../../monitors/location-list.tsx';
import { notCountedText, seenBefore, voteMark, voteText } from './vote-words.ts';

/** One tile for each location: what it saw, when, and what it had seen before. */
export function Votes({ votes }: Pick<Decision, 'votes'>) {
  const city = useCity();
  return (
    <section className="panel">
      <h2>{texts.incident.votes}</h2>
      <ul className="votes">
        {votes.map(({ location, vote, counted_as, not_counted_because: why, result, before }) => (
          <li key={location} className={`vote vote-${counted_as}`}>
            <span className="vote-head">
              <strong>{city(location)}</strong>
              <Mark {...voteMark({ counted_as, vote })} quiet />
            </span>
            <span>{voteText({ counted_as, vote, result })}</span>
            {why === null ? null : <span className="soft">{notCountedText(why)}</span>}
            {result === null ? null : (
              <span className="soft">
                <SecondTime at={result.checked_at} />
              </span>
            )}
            {before === null ? null : (
              <span className="soft">
                <Said words={seenBefore(before)} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
