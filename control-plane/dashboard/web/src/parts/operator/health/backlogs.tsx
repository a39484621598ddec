import type { InstallationHealth } from '../../../api/types.ts';
import { duration, number } from '../../../texts/format.ts';
import { texts } from '../texts/texts.ts';
import { Line } from './line.tsx';

const words = texts.health;
const SECOND_MS = 1_000;

/** Work that waits until a control plane does it. */
export function Backlogs({ backlogs }: { backlogs: InstallationHealth['backlogs'] }) {
  return (
    <section className="panel">
      <h2>{words.backlogs}</h2>
      <ul className="rows" aria-label={words.backlogs}>
        {backlogs.map(({ name, waiting, has_more, oldest_seconds, late_seconds, ok }) => (
          <Line key={name} ok={ok}>
            <p>
              {(words.waiting[name] ?? words.otherWaiting(name))(waiting, `${number(waiting)}${has_more ? '+' : ''}`)}
            </p>
            {oldest_seconds === null ? null : (
              <p className="row-detail">
                {words.oldest(duration(oldest_seconds * SECOND_MS), duration(late_seconds * SECOND_MS))}
              </p>
            )}
          </Line>
        ))}
      </ul>
    </section>
  );
}
