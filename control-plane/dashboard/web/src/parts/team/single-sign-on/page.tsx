import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { SingleSignOn } from '../../../api/types.ts';
import { mayManage, useAccount } from '../../../app/account.ts';
import { FactList } from '../../../components/page/fact-list.tsx';
import { NotAllowed } from '../../../components/page/not-allowed.tsx';
import { PageHead } from '../../../components/page/page-head.tsx';
import { UnreadPage } from '../../../components/page/unread-page.tsx';
import { texts } from '../texts/texts.ts';
import { Domains } from './domains.tsx';
import { ProviderForm } from './provider-form.tsx';
import { domainsQuery, providerQuery } from './queries.ts';
import { RemoveProvider } from './remove-provider.tsx';
import '../team.css';

/** The identity provider by which people of the workspace log in. */
export function SingleSignOnPage() {
  const account = useAccount();
  const { data: provider, error, refetch } = useQuery({ ...providerQuery, enabled: mayManage(account) });
  const domains = useQuery({ ...domainsQuery, enabled: mayManage(account) }).data;
  const words = texts.sso;
  if (!mayManage(account)) return <NotAllowed title={words.title} />;
  if (provider === undefined) {
    return <UnreadPage error={error} retry={() => void refetch()} />;
  }
  if (provider === null && !account.features.single_sign_on) return <NeedsPlan />;
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
        {account.features.single_sign_on ? null : <p className="note">{words.needsEnterprise}</p>}
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

/** Nothing here can be saved, so there is no form. */
function NeedsPlan() {
  const words = texts.sso;
  return (
    <>
      <PageHead title={words.title} sentence={words.needsEnterprise} />
      <section className="panel empty">
        <p>{words.purpose}</p>
        <Link to="/settings/billing">{words.plans}</Link>
      </section>
    </>
  );
}

/** What an admin sees: only owners change it. */
function Facts({ provider }: { provider: SingleSignOn }) {
  const words = texts.sso;
  const facts: [string, string][] = [
    [words.issuer, provider.issuer],
    [words.clientId, provider.client_id],
    [words.roleClaim, provider.role_claim ?? '–'],
    [words.startUrl, provider.start_url],
  ];
  return (
    <section className="panel">
      <FactList facts={facts} />
      <p className="row-detail">{words.onlyOwners}</p>
    </section>
  );
}
