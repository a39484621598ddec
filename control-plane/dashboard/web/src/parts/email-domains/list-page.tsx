import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { EmailDomain } from '../../api/types.ts';
import { useMayWrite } from '../../app/account.ts';
import { PageHead } from '../../components/page/page-head.tsx';
import { UnreadPage } from '../../components/page/unread-page.tsx';
import { AREA_NAMES } from './area-names.ts';
import { DomainForm } from './domain-form.tsx';
import { AreaMark } from './marks.tsx';
import { domainsQuery } from './queries.ts';
import { texts } from './texts/texts.ts';
import './email-domains.css';

export function EmailDomainsPage() {
  const { data, error, refetch } = useQuery(domainsQuery);
  const mayWrite = useMayWrite();
  if (data === undefined) return <UnreadPage error={error} retry={() => void refetch()} />;
  const { rows } = data;
  if (rows.length === 0) {
    return (
      <>
        <PageHead title={texts.title} sentence={mayWrite ? texts.empty : texts.viewer} />
        {mayWrite ? <DomainForm /> : null}
      </>
    );
  }
  const failing = rows.filter(({ status }) => status === 'failing').length;
  const add = (
    <Button component={Link} to="/email-domains/new">
      {texts.add}
    </Button>
  );
  return (
    <>
      <PageHead
        title={texts.title}
        sentence={failing > 0 ? texts.failing(failing, rows.length) : texts.notFailing(rows.length)}
        tone={failing > 0 ? 'warning' : 'idle'}
        actions={mayWrite ? add : undefined}
      />
      <section className="panel list-panel">
        <div className="list-head email-columns" aria-hidden="true">
          {[texts.columns.domain, texts.columns.improve, texts.columns.score].map((label) => (
            <span key={label}>{label}</span>
          ))}
        </div>
        <ul aria-label={texts.title}>
          {[...rows].sort(lowestFirst).map((domain) => (
            <li key={domain.id}>
              <DomainRow domain={domain} />
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

function lowestFirst(one: EmailDomain, other: EmailDomain): number {
  return (one.score ?? -1) - (other.score ?? -1);
}

function DomainRow({ domain: { id, name, status, statuses, score } }: { domain: EmailDomain }) {
  const improve = statuses.filter((area) => area.status === 'failing' || area.status === 'warning');
  const words = improve.map(({ area }) => AREA_NAMES[area]).join(', ');
  return (
    <Link to={`/email-domains/${id}`} className="list-row email-columns">
      <span className="list-name">
        <AreaMark status={status} quiet />
        <bdi className="cut strong">{name}</bdi>
      </span>
      <span className="cut">{statuses.length === 0 ? texts.notYet : words || texts.nothing}</span>
      <span title={texts.scoreMeaning}>{texts.score(score)}</span>
    </Link>
  );
}
