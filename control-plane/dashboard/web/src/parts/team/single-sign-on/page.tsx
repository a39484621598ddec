import { useQuery } from '@tanstack/react-query';
import type { SingleSignOn } from '../../../api/types.ts';
import { mayManage, useAccount } from '../../../app/account.ts';
import { NotAllowed } from '../../../components/not-allowed.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { PageSkeleton } from '../../../components/skeleton.tsx';
import { texts } from '../texts/texts.ts';
import { Domains } from './domains.tsx';
import { ProviderForm } from './provider-form.tsx';
import { domainsQuery, providerQuery } from './queries.ts';
import { RemoveProvider } from './remove-provider.tsx';
import '../team.css';

/** The identity provider by which people of the workspace sign in. */
export function SingleSignOnPage() {
  const account = useAccount();
  const { data: provider, error, refetch } = useQuery({ ...providerQuery, enabled: mayManage(account) });
  const domains = useQuery({ ...domainsQuery, enabled: mayManage(account) }).data;
  const words = texts.sso;
  if (!mayManage(account)) return <NotAllowed title={words.title} />;
  if (provider === undefined) {
    return error === null ? <PageSkeleton /> : <ProblemNote error={error} retry={() => void refetch()} />;
  }
  const isOwner = account.role === 'owner';
  const verified = domains?.rows.filter(({ verified: is }) => is).length ?? 0;
  return (
    <>
      <PageHead
        title={words.title}
        sentence={provider === null ? words.none : provider.enforced ? words.enforcedState : words.offered(verified)}
        actions={provider !== null && isOwner ? <RemoveProvider /> : undefined}
      />
      <div className="stack">
        {account.plan === 'Enterprise' ? null : <p className="note">{words.needsEnterprise}</p>}
        {isOwner ? (
          <ProviderForm key={provider?.updated_at ?? ''} provider={provider} />
        ) : provider === null ? (
          <p className="note">{words.onlyOwners}</p>
        ) : (
          <Facts provider={provider} />
        )}
        {domains === undefined ? null : <Domains domains={domains.rows} isOwner={isOwner} />}
      </div>
    </>
  );
}

/** What an admin sees: only owners change it. */
function Facts({ provider }: { provider: SingleSignOn }) {
  const words = texts.sso;
  const facts = [
    [words.issuer, provider.issuer],
    [words.clientId, provider.client_id],
    [words.roleClaim, provider.role_claim ?? '–'],
    [words.startUrl, provider.start_url],
  ];
  return (
    <section className="panel">
      <dl className="facts">
        {facts.map(([label, value]) => (
          <div key={label} className="fact">
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="row-detail">{words.onlyOwners}</p>
    </section>
  );
}
