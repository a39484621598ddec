import { Button } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ApiProblem } from '../../api/client.ts';
import { billingQuery } from '../../api/queries.ts';
import { useAccount } from '../../app/account.ts';
import { PageHead } from '../../components/page/page-head.tsx';
import { UnreadPart } from '../../components/page/unread-page.tsx';
import { Time } from '../../components/time/time.tsx';
import { Chain } from './chain.tsx';
import { EntryRow } from './entry-row.tsx';
import { Export } from './export.tsx';
import type { AuditFilter } from './filter.ts';
import { Filters } from './filters.tsx';
import { auditLogQuery, brokenChainQuery } from './queries.ts';
import { texts } from './texts/texts.ts';
import './audit.css';
import { MoreButton } from '../../components/more-button.tsx';

/** Where the API says that it does not know the action. */
const ACTION_FIELD = '/query/action';

export function AuditPage() {
  const filter: AuditFilter = useSearch({ strict: false });
  const navigate = useNavigate();
  const { features } = useAccount();
  const broken = useQuery(brokenChainQuery).data ?? null;
  const keptSeconds = useQuery(billingQuery).data?.retention.audit_seconds;
  const choose = (search: AuditFilter) => void navigate({ to: '/audit', search, replace: true });
  return (
    <>
      <PageHead
        title={texts.title}
        sentence={broken === null ? texts.sentence(keptSeconds ?? null) : texts.broken}
        tone={broken === null ? 'idle' : 'down'}
        actions={<Export filter={filter} isAllowed={features.audit_export} />}
      />
      {broken === null ? null : (
        <p className="note bad">
          {texts.brokenFound} <Time at={broken.timestamp} />. {texts.brokenNext}
        </p>
      )}
      <Filters filter={filter} choose={choose} />
      <Entries filter={filter} choose={choose} />
      <Chain />
    </>
  );
}

/** In place of the list, when the address of the page has an action that there is not. */
function UnknownAction({ action, leaveOut }: { action: string; leaveOut(): void }) {
  return (
    <section className="panel empty" role="alert">
      <p>{texts.unknownAction(action)}</p>
      <Button variant="default" onClick={leaveOut}>
        {texts.everyAction}
      </Button>
    </section>
  );
}

function Entries({ filter, choose }: { filter: AuditFilter; choose(filter: AuditFilter): void }) {
  const log = useInfiniteQuery({ ...auditLogQuery(filter), placeholderData: keepPreviousData });
  const { action } = filter;
  // A wrong address stays wrong, however often it is read.
  if (action !== undefined && log.error instanceof ApiProblem && ACTION_FIELD in log.error.fields) {
    const { action: _unknown, ...others } = filter;
    return <UnknownAction action={action} leaveOut={() => choose(others)} />;
  }
  if (log.data === undefined) return <UnreadPart error={log.error} retry={() => void log.refetch()} />;
  const rows = log.data.pages.flatMap(({ data }) => data);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <section className="panel audit" aria-busy={log.isPlaceholderData}>
      {rows.length === 0 ? <p className="soft">{isFiltered ? texts.noneMatches : texts.empty}</p> : null}
      <ul aria-label={texts.title} className="audit-rows">
        {rows.map((entry) => (
          <li key={entry.id}>
            <EntryRow entry={entry} narrow={(more) => choose({ ...filter, ...more })} />
          </li>
        ))}
      </ul>
      <MoreButton list={log} label={texts.more} />
    </section>
  );
}
