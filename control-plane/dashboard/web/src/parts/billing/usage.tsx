import type { Billing } from '../../api/types.ts';
import { capital, duration, number } from '../../texts/format.ts';
import { texts } from './texts/texts.ts';
import { fullness } from './way.ts';

const FULL = 1;
const NEARLY_FULL = 0.8;

/** How much of each limit is used. */
export function Usage({ billing: { quotas, intervals } }: { billing: Billing }) {
  return (
    <section className="panel">
      <h2>{texts.usage}</h2>
      <ul className="quotas">
        {quotas.map(({ name, label, used, limit }) => (
          <li key={name} className="quota">
            <span>{capital(texts.quotas[name] ?? label)}</span>
            <span className="soft">
              {limit === null ? texts.noLimit(number(used)) : texts.of(number(used), number(limit))}
            </span>
            <Bar share={fullness({ used, limit })} />
          </li>
        ))}
      </ul>
      <p className="row-detail quota-note">
        {texts.perMonitor(duration(intervals.interval_seconds_min * 1_000), intervals.locations_per_monitor)}
      </p>
    </section>
  );
}

/** The numbers beside it say the same, so that it is only for the eye. */
function Bar({ share }: { share: number | null }) {
  if (share === null) return null;
  const tone = share >= FULL ? 'down' : share >= NEARLY_FULL ? 'warning' : 'idle';
  return (
    <svg className={`quota-bar tone-${tone}`} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect width="100" height="4" className="quota-ground" />
      <rect width={share * 100} height="4" fill="currentColor" />
    </svg>
  );
}
