import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ApiKey, CreatedApiKey } from '../../api/types.ts';
import { mayManage, useAccount } from '../../app/account.ts';
import { NotAllowed } from '../../components/page/not-allowed.tsx';
import { PageHead } from '../../components/page/page-head.tsx';
import { UnreadPage } from '../../components/page/unread-page.tsx';
import { Day, Since, useNow } from '../../components/time/time.tsx';
import { standingOf } from './expiry.ts';
import { MadeKey } from './made-key.tsx';
import { apiKeysQuery } from './queries.ts';
import { RevokeKey } from './revoke-key.tsx';
import { RotateKey } from './rotate-key.tsx';
import { presetOf, rightsOf } from './scopes.ts';
import { texts } from './texts/texts.ts';
import './api-keys.css';

export function ApiKeysPage() {
  const isAllowed = mayManage(useAccount());
  return isAllowed ? <Keys /> : <NotAllowed title={texts.title} />;
}

/** All keys, and the value of one that was just rotated. */
function Keys() {
  const { data, error, refetch } = useQuery(apiKeysQuery);
  const [made, setMade] = useState<CreatedApiKey | null>(null);
  const now = useNow();
  if (data === undefined) {
    return <UnreadPage error={error} retry={() => void refetch()} />;
  }
  const count = (standing: string) => data.rows.filter((key) => standingOf(key, now) === standing).length;
  const add = (
    <Button component={Link} to="/settings/api-keys/new">
      {texts.add}
    </Button>
  );
  return (
    <>
      <PageHead
        title={texts.title}
        tone={count('soon') > 0 ? 'warning' : 'idle'}
        sentence={data.rows.length === 0 ? texts.none : texts.count(count('valid') + count('soon'), count('soon'))}
        actions={data.rows.length === 0 ? undefined : add}
      />
      <div className="stack">
        {made === null ? null : (
          <MadeKey made={made}>
            <Button variant="default" onClick={() => setMade(null)}>
              {texts.stored}
            </Button>
          </MadeKey>
        )}
        {data.rows.length === 0 ? (
          <section className="panel empty">
            <p>{texts.empty}</p>
            {add}
          </section>
        ) : (
          <ul className="panel rows" aria-label={texts.title}>
            {data.rows.map((key) => (
              <KeyRow key={key.id} apiKey={key} now={now} made={setMade} />
            ))}
          </ul>
        )}
      </div>
    </>
  );
}

interface KeyRowProps {
  apiKey: ApiKey;
  now: number;
  made(key: CreatedApiKey): void;
}

function KeyRow({ apiKey, now, made }: KeyRowProps) {
  const { name, last_four: lastFour, created_at: created, created_by: creator, last_used_at: used } = apiKey;
  const standing = standingOf(apiKey, now);
  return (
    <li className="api-key">
      <div className="row-main">
        <p className="two-lines strong">
          <bdi>{name}</bdi>
        </p>
        <p className="row-detail wrap">
          <span className="mono">…{lastFour}</span> · {scopesText(apiKey)}
        </p>
        <p className="row-detail wrap">
          {texts.created} <Day at={created} /> · {creator.email ?? texts.deletedAccount}
        </p>
        <p className="row-detail wrap">
          {used === null ? texts.neverUsed : <Since at={used} wrap={(ago) => texts.used(ago)} />}
          {apiKey.last_used_network === null ? '' : ` · ${texts.from(apiKey.last_used_network)}`}
        </p>
        <p className={`row-detail wrap ${standing === 'valid' ? '' : 'tone-warning'}`}>
          {apiKey.expires_at === null ? (
            texts.noExpiry
          ) : (
            <>
              {standing === 'over' ? texts.expired : texts.expires} <Day at={apiKey.expires_at} />
              {standing === 'soon' ? ` (${texts.soon})` : ''}
            </>
          )}
          {apiKey.replaced_by === null ? '' : ` · ${texts.replaced}`}
        </p>
      </div>
      <div className="page-actions">
        {standing === 'over' || apiKey.replaced_by !== null ? null : <RotateKey apiKey={apiKey} made={made} />}
        <RevokeKey apiKey={apiKey} />
      </div>
    </li>
  );
}

function scopesText({ scopes }: ApiKey): string {
  const preset = presetOf(scopes);
  if (preset !== 'chosen') return texts.presets[preset].label;
  const { both, reads, writes } = rightsOf(scopes);
  const part = (say: (areas: string[]) => string, areas: typeof reads) =>
    areas.length === 0 ? [] : [say(areas.map((area) => texts.areas[area]))];
  return [...part(texts.mayBoth, both), ...part(texts.mayRead, reads), ...part(texts.mayChange, writes)].join('; ');
}
