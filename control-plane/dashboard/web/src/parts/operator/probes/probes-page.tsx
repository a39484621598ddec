import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Probe } from '../../../api/types.ts';
import { Check } from '../../../components/form/check.tsx';
import { JoinTokens } from '../../../components/join-tokens/join-tokens.tsx';
import { PageHead } from '../../../components/page/page-head.tsx';
import { UnreadPage } from '../../../components/page/unread-page.tsx';
import { cityName } from '../../../texts/default-names.ts';
import { OnlyOperators } from '../only-operators.tsx';
import { adminLocationsQuery, probesQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';
import { JoinDialog } from './join-dialog.tsx';
import { inOrder } from './order.ts';
import { ProbeRow } from './probe-row.tsx';
import '../operator.css';
import { MoreButton } from '../../../components/more-button.tsx';

const words = texts.probes;

export function ProbesPage() {
  return (
    <OnlyOperators>
      <Probes />
    </OnlyOperators>
  );
}

function Probes() {
  const [isJoining, setJoining] = useState(false);
  const [showsRevoked, setShowsRevoked] = useState(false);
  const list = useInfiniteQuery(probesQuery);
  const locations = useQuery(adminLocationsQuery).data ?? [];
  if (list.data === undefined) {
    return <UnreadPage error={list.error} retry={() => void list.refetch()} />;
  }
  const all = inOrder(list.data.pages.flatMap(({ data }) => data));
  const shown = showsRevoked ? all : all.filter(({ state }) => state !== 'revoked');
  const hasRevoked = all.some(({ state }) => state === 'revoked');
  const add = <Button onClick={() => setJoining(true)}>{words.add}</Button>;
  const cityOf = (code: string) => {
    const known = locations.find((one) => one.code === code);
    return known === undefined ? code : cityName(known);
  };
  return (
    <>
      <PageHead title={words.title} {...sentenceOf(all)} actions={shown.length === 0 ? undefined : add} />
      <JoinDialog isOpen={isJoining} close={() => setJoining(false)} locations={locations} known={all} />
      {hasRevoked ? (
        <div className="operator-filter">
          <Check name="revoked" isOn={showsRevoked} change={setShowsRevoked} label={words.showRevoked} />
        </div>
      ) : null}
      {shown.length === 0 ? (
        <section className="panel empty">
          <p>{words.purpose}</p>
          {add}
        </section>
      ) : (
        <section className="panel">
          <ul className="rows" aria-label={words.title}>
            {shown.map((probe) => (
              <li key={probe.id} className="operator-row">
                <ProbeRow probe={probe} city={cityOf(probe.location)} />
              </li>
            ))}
          </ul>
          <MoreButton list={list} label={texts.more} />
        </section>
      )}
      <JoinTokens path="/v1/admin/probes/join-tokens" placeOf={({ location = '' }) => cityOf(location)} />
    </>
  );
}

function sentenceOf(probes: readonly Probe[]): { sentence: string; tone: 'idle' | 'down' | 'up' } {
  const count = (state: Probe['state']) => probes.filter((probe) => probe.state === state).length;
  const [connected, lost] = [count('connected'), count('disconnected')];
  if (lost > 0) return { sentence: words.lost(lost, connected), tone: 'down' };
  if (connected === 0) return { sentence: words.none, tone: 'down' };
  return { sentence: words.allConnected(connected), tone: 'up' };
}
