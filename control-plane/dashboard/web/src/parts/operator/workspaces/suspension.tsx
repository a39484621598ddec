import { Button, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldErrors } from '../../../api/field-errors.ts';
import { apiPath } from '../../../api/path.ts';
import type { AdminWorkspaceUsage, One } from '../../../api/types.ts';
import { confirmedCall } from '../../../components/confirm-identity/confirmed-call.ts';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { toast } from '../../../components/toasts.tsx';
import { texts } from '../texts/texts.ts';
import '../../../components/form/form-panel.css';

const words = texts.suspension;
const REASON_CHARS_MAX = 500;

/** Stops everything that Picket does for a workspace, or takes it up again. */
export function Suspension({ workspace: { id, name, suspended } }: { workspace: AdminWorkspaceUsage }) {
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const act = useMutation({
    mutationFn: async (verb: 'suspend' | 'resume') => {
      const body = verb === 'suspend' ? { reason: reason.trim() } : undefined;
      return (await confirmedCall<One<AdminWorkspaceUsage>>('POST', apiPath`/v1/admin/workspaces/${id}/${verb}`, body))
        .data;
    },
    async onSuccess(changed, verb) {
      setReason('');
      toast({ text: verb === 'suspend' ? words.suspended(name) : words.resumed(name), undo: null });
      queries.setQueryData(['workspace', id], changed);
      await queries.invalidateQueries({ queryKey: ['workspaces'] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    act.mutate('suspend');
  };
  const errors = fieldErrors(act.error);
  return (
    <section className="panel">
      <h2>{words.title}</h2>
      {suspended === null ? (
        <form className="form-panel" onSubmit={submit} noValidate>
          <p>{words.text}</p>
          <Textarea
            {...{ label: words.reason, description: words.reasonHelp, value: reason, maxLength: REASON_CHARS_MAX }}
            {...{ rows: 2, error: errors['reason'] }}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
          {'reason' in errors ? null : <ActionProblem error={act.error} />}
          <div className="page-actions">
            <Button type="submit" color="red" loading={act.isPending} disabled={reason.trim() === ''}>
              {words.suspend}
            </Button>
          </div>
        </form>
      ) : (
        <div className="stack">
          <p>{words.resumeText}</p>
          <ActionProblem error={act.error} />
          <div className="page-actions">
            <Button loading={act.isPending} onClick={() => act.mutate('resume')}>
              {words.resume}
            </Button>
          </div>
        </div>
      )}
    </section>
  );
}
