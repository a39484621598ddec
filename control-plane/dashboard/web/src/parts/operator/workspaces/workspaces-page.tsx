import { NativeSelect } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { AdminWorkspace } from '../../../api/types.ts';
import { SearchField } from '../../../components/form/search-field.tsx';
import { PageHead } from '../../../components/page/page-head.tsx';
import { UnreadPage } from '../../../components/page/unread-page.tsx';
import { Mark } from '../../../components/status-mark.tsx';
import { LinkTime } from '../../../components/time/time.tsx';
import { OnlyOperators } from '../only-operators.tsx';
import { workspacesQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';
import { PLANS, type WorkspaceFilter } from './filter.ts';
import '../operator.css';
import { MoreButton } from '../../../components/more-button.tsx';

const words = texts.workspaces;

export function WorkspacesPage() {
  return (
    <OnlyOperators>
      <Workspaces />
    </OnlyOperators>
  );
}

function Workspaces() {
  const filter: WorkspaceFilter = useSearch({ strict: false });
  const list = useInfiniteQuery({ ...workspacesQuery(filter), placeholderData: keepPreviousData });
  if (list.data === undefined) {
    return <UnreadPage error={list.error} retry={() => void list.refetch()} />;
  }
  const rows = list.data.pages.flatMap(({ data }) => data);
  return (
    <>
      <PageHead title={words.title} sentence={words.sentence(rows.length, list.hasNextPage)} />
      <Filters filter={filter} />
      <section className="panel" aria-busy={list.isPlaceholderData}>
        {rows.length === 0 ? <p className="soft">{words.noneMatches}</p> : null}
        <ul className="rows" aria-label={words.title}>
          {rows.map((workspace) => (
            <li key={workspace.id}>
              <WorkspaceRow workspace={workspace} />
            </li>
          ))}
        </ul>
        <MoreButton list={list} label={texts.more} />
      </section>
    </>
  );
}

function Filters({ filter }: { filter: WorkspaceFilter }) {
  const navigate = useNavigate();
  const set = (field: keyof WorkspaceFilter, value: string) => {
    const { [field]: _before, ...others } = filter;
    const search = value === '' ? others : { ...others, [field]: value };
    void navigate({ to: '/settings/workspaces', search, replace: true });
  };
  return (
    <div className="filters">
      <SearchField label={words.search} value={filter.q ?? ''} change={(q) => set('q', q)} />
      <NativeSelect
        aria-label={words.plan}
        value={filter.plan ?? ''}
        data={[{ value: '', label: words.anyPlan }, ...PLANS]}
        onChange={({ currentTarget }) => set('plan', currentTarget.value)}
      />
      <NativeSelect
        aria-label={words.state}
        value={filter.suspended ?? ''}
        data={[
          { value: '', label: words.anyState },
          { value: 'true', label: words.onlySuspended },
          { value: 'false', label: words.onlyRunning },
        ]}
        onChange={({ currentTarget }) => set('suspended', currentTarget.value)}
      />
    </div>
  );
}

function WorkspaceRow({ workspace }: { workspace: AdminWorkspace }) {
  const { id, name, plan, suspended, deletion_at: deletion } = workspace;
  return (
    <Link to={`/settings/workspaces/${id}`} className="row">
      <span className="row-main">
        <bdi className="strong two-lines">{name}</bdi>
        <span className="row-detail">
          {plan} · {words.created} <LinkTime at={workspace.created_at} />
        </span>
      </span>
      <span className="row-side">
        {suspended === null ? null : <Mark as="warning" word={words.suspended} quiet={false} />}{' '}
        {deletion === null ? null : <Mark as="down" word={words.beingDeleted} quiet={false} />}
      </span>
    </Link>
  );
}
