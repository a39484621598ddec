import { useQuery } from '@tanstack/react-query';
import { billingQuery } from '../../api/queries.ts';
import type { Billing } from '../../api/types.ts';
import { useAccount } from '../../app/account.ts';
import { PageHead } from '../../components/page/page-head.tsx';
import { UnreadPage } from '../../components/page/unread-page.tsx';
import { Said } from '../../components/said.tsx';
import { duration } from '../../texts/format.ts';
import { type Said as Sentence, say } from '../../texts/said.ts';
import { ChangePlan } from './change-plan.tsx';
import { Invoices } from './invoices.tsx';
import { Portal } from './portal.tsx';
import { texts } from './texts/texts.ts';
import { Usage } from './usage.tsx';
import './billing.css';

const S_MS = 1_000;

export function BillingPage() {
  const { data: billing, error, refetch } = useQuery(billingQuery);
  const { role } = useAccount();
  if (billing === undefined) {
    return <UnreadPage error={error} retry={() => void refetch()} />;
  }
  const full = billing.quotas.filter(({ used, limit }) => limit !== null && used >= limit && used > 0);
  return (
    <>
      <PageHead
        title={texts.title}
        tone={full.length > 0 ? 'warning' : 'idle'}
        sentence={texts.state(
          billing.plan,
          full.map(({ name, label }) => texts.quotas[name] ?? label),
        )}
        actions={role === 'owner' && billing.stripe.customer ? <Portal /> : undefined}
      />
      <div className="stack">
        <Next billing={billing} />
        <Usage billing={billing} />
        <ChangePlan billing={billing} />
        <Invoices invoices={billing.invoices} />
      </div>
    </>
  );
}

/** What happens by itself, and how long history is kept. */
function Next({ billing: { next, retention } }: { billing: Billing }) {
  const kept = (seconds: number) => duration(seconds * S_MS);
  const facts: [string, Sentence][] = [
    ...(next.change === 'none' || next.at === null
      ? []
      : [nextFact(next.at, texts.nextChange[next.change], next.plan)]),
    [
      texts.retention,
      [texts.kept(kept(retention.raw_seconds), kept(retention.hours_seconds), kept(retention.audit_seconds))],
    ],
    ...(retention.until === null ? [] : [keptFact(retention.until, retention.plan)]),
  ];
  return (
    <section className="panel">
      <dl className="facts">
        {facts.map(([label, value]) => (
          <div key={label} className="fact">
            <dt>{label}</dt>
            <dd>
              <Said words={value} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function nextFact(at: string, words: (at: string, plan: string) => string, plan: string): [string, Sentence] {
  return [texts.next, say((time) => words(time(at, 'day'), plan))];
}

function keptFact(until: string, plan: string): [string, Sentence] {
  return [texts.retentionUntil, say((time) => texts.keptAs(plan, time(until, 'long')))];
}
