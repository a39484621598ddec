import { Link } from '@tanstack/react-router';
import { useAccount } from '../../../app/account.ts';
import { list } from '../../../texts/format.ts';
import { useCity } from '../location-list.tsx';
import { texts } from './texts.ts';

interface WithoutProbeProps {
  /** The codes of the locations without a connected probe. */
  locations: readonly string[];
  /** Whether the other locations have one. */
  hasOthers: boolean;
  /** Whether those are fewer than must agree. */
  areTooFew: boolean;
}

/** Names the locations that cannot answer, and says what to do about it. */
export function WithoutProbe({ locations, hasOthers, areTooFew }: WithoutProbeProps) {
  const { operator } = useAccount();
  const city = useCity();
  if (locations.length === 0) return null;
  const cities = list(locations.map(city));
  return (
    <p className={hasOthers ? 'note' : 'note bad'}>
      {texts.probes.without(cities, locations.length)} {areTooFew ? `${texts.probes.tooFew} ` : ''}
      {operator ? (
        <>
          {hasOthers ? texts.probes.startMore : texts.probes.startFirst}{' '}
          <Link to="/settings/probes">{texts.probes.open}</Link>
        </>
      ) : hasOthers ? (
        texts.probes.othersAnswer
      ) : (
        texts.probes.askOperator
      )}
    </p>
  );
}
