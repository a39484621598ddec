import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SecondFactorOverview } from '../../../api/types.ts';
import { PageHead } from '../../../components/page/page-head.tsx';
import { UnreadPage } from '../../../components/page/unread-page.tsx';
import { list } from '../../../texts/format.ts';
import { secondFactorQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';
import { AuthenticatorApp } from './authenticator-app.tsx';
import { Passkeys } from './passkeys.tsx';
import { NewRecoveryCodes, RecoveryCodes } from './recovery-codes.tsx';
import '../account.css';

const words = texts.secondFactor;
/** With fewer codes than this left it is time for new ones. */
const CODES_FEW = 3;

/** What a person can prove beside the password. */
export function SecondFactorPage() {
  const { data: overview, error, refetch } = useQuery(secondFactorQuery);
  const queries = useQueryClient();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (overview === undefined) {
    return <UnreadPage error={error} retry={() => void refetch()} />;
  }
  const changed = async (newCodes: readonly string[] | null) => {
    if (newCodes !== null) setCodes(newCodes);
    const keys = [['second-factor'], ['passkeys'], ['account'], ['sessions']];
    await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
  };
  const hasFactor = overview.totp !== null || overview.passkeys > 0;
  return (
    <>
      <PageHead title={words.title} {...sentenceOf(overview)} />
      <div className="stack">
        {overview.required_by.length === 0 ? null : <p className="note">{words.requiredBy(overview.required_by)}</p>}
        {codes === null ? null : <RecoveryCodes codes={codes} close={() => setCodes(null)} />}
        <AuthenticatorApp overview={overview} changed={changed} />
        <Passkeys changed={changed} />
        {hasFactor ? <NewRecoveryCodes left={overview.recovery_codes_left} changed={changed} /> : null}
      </div>
    </>
  );
}

function sentenceOf({ totp, passkeys, recovery_codes_left: left }: SecondFactorOverview) {
  if (totp === null && passkeys === 0) return { sentence: words.none, tone: 'warning' as const };
  if (left < CODES_FEW) return { sentence: words.fewCodes(left), tone: 'warning' as const };
  const app = totp === null ? [] : [words.anApp];
  const factors = [words.thePassword, ...app, ...(passkeys === 0 ? [] : [words.somePasskeys(passkeys)])];
  return { sentence: words.protectedBy(list(factors)), tone: 'up' as const };
}
