import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminLocation } from '../../../api/types.ts';
import { PageHead } from '../../../components/page/page-head.tsx';
import { UnreadPage } from '../../../components/page/unread-page.tsx';
import { OnlyOperators } from '../only-operators.tsx';
import { adminLocationsQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';
import { LocationRow } from './location-row.tsx';
import { NewLocation } from './new-location.tsx';
import '../operator.css';

const words = texts.locations;

export function LocationsPage() {
  return (
    <OnlyOperators>
      <Locations />
    </OnlyOperators>
  );
}

function Locations() {
  const [isAdding, setAdding] = useState(false);
  const { data: locations, error, refetch } = useQuery(adminLocationsQuery);
  if (locations === undefined) {
    return <UnreadPage error={error} retry={() => void refetch()} />;
  }
  return (
    <>
      <PageHead
        title={words.title}
        {...sentenceOf(locations)}
        actions={isAdding ? undefined : <Button onClick={() => setAdding(true)}>{words.add}</Button>}
      />
      <div className="stack">
        {isAdding ? <NewLocation close={() => setAdding(false)} /> : null}
        <section className="panel">
          {locations.length === 0 ? <p className="soft">{words.empty}</p> : null}
          <ul className="rows" aria-label={words.title}>
            {locations.map((location) => (
              <li key={location.code} className="operator-row">
                <LocationRow location={location} />
              </li>
            ))}
          </ul>
        </section>
      </div>
    </>
  );
}

function sentenceOf(locations: readonly AdminLocation[]): { sentence: string; tone: 'idle' | 'down' | 'warning' } {
  const quarantined = locations.filter((one) => one.quarantined).length;
  const silent = locations.filter((one) => one.connected_probes === 0).length;
  if (quarantined > 0) return { sentence: words.someQuarantined(quarantined), tone: 'down' };
  if (silent > 0) return { sentence: words.someSilent(silent), tone: 'warning' };
  return { sentence: words.allWell(locations.length), tone: 'idle' };
}
