import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiProblem } from '../../api/client.ts';
import type { Billing, One, StripePage } from '../../api/types.ts';
import { useAccount } from '../../app/account.ts';
import { confirmedCall } from '../../components/confirm-identity/confirmed-call.ts';
import { ActionProblem } from '../../components/problem-note.tsx';
import { toast } from '../../components/toasts.tsx';
import { PLAN_LIMITS } from './limits.ts';
import { openStripe } from './open-stripe.ts';
import { OverQuotaDialog } from './over-quota-dialog.tsx';
import { texts } from './texts/texts.ts';
import { type OverQuota, overQuotaIn, PLANS, type Plan, wayTo } from './way.ts';

interface Change {
  plan: Plan;
  accepted: string[];
}

/** The plans, and the way to each. */
export function ChangePlan({ billing }: { billing: Billing }) {
  const account = useAccount();
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: async ({ plan, accepted }: Change) =>
      (await confirmedCall<One<Billing>>('POST', '/v1/billing/plan', { plan, accept_over_quota: accepted })).data,
    onSuccess(changed, { plan }) {
      toast({ text: changed.plan === plan ? texts.changed(plan) : texts.willChange(plan), undo: null });
      queries.setQueryData(['billing'], changed);
      void queries.invalidateQueries({ queryKey: ['account'] });
    },
  });
  const buy = useMutation({
    mutationFn: async (plan: Plan) =>
      (await confirmedCall<One<StripePage>>('POST', '/v1/billing/checkout', { plan })).data,
    onSuccess: ({ url }) => openStripe(url),
  });
  const over: OverQuota[] = change.error instanceof ApiProblem ? overQuotaIn(change.error.body) : [];
  const ways = PLANS.map((plan) => wayTo(plan, billing, account));
  return (
    <section className="panel">
      <h2>{texts.plans}</h2>
      <ul className="rows">
        {PLANS.map((plan) => {
          const way = wayTo(plan, billing, account);
          return (
            <li key={plan} className="plan">
              <div className="row-main">
                <p className="strong">
                  {plan}
                  {plan === billing.plan ? <span className="soft"> ({texts.current})</span> : null}
                </p>
                <p className="row-detail">{texts.planHelp(PLAN_LIMITS[plan])}</p>
              </div>
              {plan === billing.plan || way === 'ask-operator' || way === 'ask-owner' ? null : (
                <Button
                  variant="default"
                  loading={way === 'checkout' ? buy.isPending : change.isPending && change.variables.plan === plan}
                  onClick={() => (way === 'checkout' ? buy.mutate(plan) : change.mutate({ plan, accepted: [] }))}
                >
                  {way === 'checkout' ? texts.buy(plan) : texts.changeTo(plan)}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {ways.includes('ask-operator') ? <p className="note plan-note">{texts.askOperator}</p> : null}
      {ways.includes('ask-owner') ? <p className="note plan-note">{texts.askOwner}</p> : null}
      {over.length > 0 ? null : <ActionProblem error={change.error ?? buy.error} />}
      <OverQuotaDialog
        {...{ over, plan: change.variables?.plan ?? 'Free', isPending: change.isPending }}
        accept={(plan, accepted) => change.mutate({ plan, accepted })}
        close={() => change.reset()}
      />
    </section>
  );
}
