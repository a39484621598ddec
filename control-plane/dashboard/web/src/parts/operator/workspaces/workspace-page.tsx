import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AdminWorkspaceUsage } from '../../../api/types.ts';
import { FactList } from '../../../components/page/fact-list.tsx';
import { PageHead } from '../../../components/page/page-head.tsx';
import { UnreadPage } from '../../../components/page/unread-page.tsx';
import { Said } from '../../../components/said.tsx';
import { Time } from '../../../components/time/time.tsx';
import { capital, number } from '../../../texts/format.ts';
import { texts as billing } from '../../billing/texts/texts.ts';
import { OnlyOperators } from '../only-operators.tsx';
import { operatedWorkspaceQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';
import { PlanForm } from './plan-form.tsx';
import { Suspension } from './suspension.tsx';
import '../operator.css';

const words = texts.workspace;
/** Billing calls them the same. */
const quotaNames = billing.quotas;

export function OperatedWorkspacePage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  return (
    <OnlyOperators>
      <OperatedWorkspace id={id} />
    </OnlyOperators>
  );
}

function OperatedWorkspace({ id }: { id: string }) {
  const { data: workspace, error, refetch } = useQuery(operatedWorkspaceQuery(id));
  if (workspace === undefined) {
    return <UnreadPage key={id} error={error} retry={() => void refetch()} />;
  }
  return (
    <>
      <p>
        <Link to="/settings/workspaces">{words.back}</Link>
      </p>
      <PageHead title={workspace.name} {...sentenceOf(workspace)} />
      <div className="stack">
        <Facts workspace={workspace} />
        <Limits workspace={workspace} />
        <PlanForm key={workspace.plan} workspace={workspace} />
        <Suspension workspace={workspace} />
      </div>
    </>
  );
}

function sentenceOf({ plan, suspended, deletion_at: deletion }: AdminWorkspaceUsage) {
  if (suspended !== null) return { sentence: words.suspendedFor(suspended.reason), tone: 'down' as const };
  if (deletion !== null)
    return { sentence: <Said words={(time) => words.deletedAt(time(deletion, 'long'))} />, tone: 'warning' as const };
  return { sentence: words.runs(plan), tone: 'idle' as const };
}

function Facts({ workspace }: { workspace: AdminWorkspaceUsage }) {
  const { id, plan, created_at, suspended, subscription } = workspace;
  const facts: [string, ReactNode][] = [
    [
      words.facts.id,
      <span key="id" className="mono wrap">
        {id}
      </span>,
    ],
    [words.facts.plan, plan],
    [words.facts.created, <Time key="created" at={created_at} />],
    [words.facts.subscription, subscription ?? words.noSubscription],
    ...(suspended === null
      ? []
      : [[words.facts.suspended, <Time key="suspended" at={suspended.at} />] as [string, ReactNode]]),
  ];
  return (
    <section className="panel operator-facts">
      <FactList facts={facts} />
    </section>
  );
}

function Limits({ workspace: { quotas } }: { workspace: AdminWorkspaceUsage }) {
  return (
    <section className="panel">
      <h2>{words.limits}</h2>
      <table className="operator-quotas">
        <thead>
          <tr>
            <th scope="col">{words.what}</th>
            <th scope="col">{words.used}</th>
            <th scope="col">{words.limit}</th>
          </tr>
        </thead>
        <tbody>
          {quotas.map(({ name, label, used, limit }) => (
            <tr key={name}>
              <td>{capital(quotaNames[name] ?? label)}</td>
              <td className={limit !== null && used > limit ? 'tone-warning' : undefined}>{number(used)}</td>
              <td>{limit === null ? words.noLimit : number(limit)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
