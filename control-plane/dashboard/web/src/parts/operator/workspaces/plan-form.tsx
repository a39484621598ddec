import { Button, NativeSelect } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiProblem } from '../../../api/client.ts';
import { apiPath } from '../../../api/path.ts';
import type { AdminWorkspaceUsage, One } from '../../../api/types.ts';
import { confirmedCall } from '../../../components/confirm-identity/confirmed-call.ts';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { toast } from '../../../components/toasts.tsx';
import { texts } from '../texts/texts.ts';
import { PLANS, type PlanName } from './filter.ts';
import { overIn } from './over.ts';
import '../../../components/form/form-panel.css';

const words = texts.plan;

/** Sets the plan. What would be over the limits of a smaller one is shown first, and must be accepted. */
export function PlanForm({ workspace }: { workspace: AdminWorkspaceUsage }) {
  const queries = useQueryClient();
  const [plan, setPlan] = useState<PlanName>(workspace.plan);
  const change = useMutation({
    mutationFn: async (accepted: readonly string[]) => {
      const body = { plan, ...(accepted.length === 0 ? {} : { accept_over_quota: accepted }) };
      const path = apiPath`/v1/admin/workspaces/${workspace.id}`;
      return (await confirmedCall<One<AdminWorkspaceUsage>>('PATCH', path, body)).data;
    },
    async onSuccess(changed) {
      toast({ text: words.set(changed.name, changed.plan), undo: null });
      queries.setQueryData(['workspace', workspace.id], changed);
      await queries.invalidateQueries({ queryKey: ['workspaces'] });
    },
  });
  const over = change.error instanceof ApiProblem ? overIn(change.error.body) : [];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(over.map(({ name }) => name));
  };
  return (
    <section className="panel">
      <h2>{words.title}</h2>
      <form className="form-panel" onSubmit={submit}>
        <NativeSelect
          {...{ label: words.plan, value: plan, data: [...PLANS] }}
          onChange={({ currentTarget }) => {
            change.reset();
            setPlan(currentTarget.value as PlanName);
          }}
        />
        {over.length === 0 ? (
          <ActionProblem error={change.error} />
        ) : (
          <div className="note" role="alert">
            <p className="strong">{words.over(plan)}</p>
            <ul>
              {over.map(({ name, detail }) => (
                <li key={name} className="wrap">
                  {detail}
                </li>
              ))}
            </ul>
          </div>
        )}
        <div className="page-actions">
          <Button type="submit" loading={change.isPending} disabled={plan === workspace.plan}>
            {over.length === 0 ? words.save : words.saveAnyway}
          </Button>
        </div>
      </form>
    </section>
  );
}
