import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import type { AlertRule, One } from '../../api/types.ts';
import { useMayWrite } from '../../app/account.ts';
import { FormPanel } from '../../components/form/form-panel.tsx';
import { NotAllowed } from '../../components/not-allowed.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ActionProblem, ProblemNote } from '../../components/problem-note.tsx';
import { PageSkeleton } from '../../components/skeleton.tsx';
import { toast } from '../../components/toasts.tsx';
import { bodyOf, inputOf, type RuleInput, ruleBody } from './input.ts';
import { ruleQuery } from './queries.ts';
import { RuleFields } from './rule-form.tsx';
import { texts } from './texts/texts.ts';
import './alert-rules.css';

export function AlertRulePage() {
  const { ruleId: id = '' } = useParams({ strict: false }) as { ruleId?: string };
  const { data: rule, error, refetch } = useQuery(ruleQuery(id));
  const mayWrite = useMayWrite();
  if (!mayWrite) return <NotAllowed title={texts.title} />;
  if (rule === undefined) {
    return error === null ? <PageSkeleton /> : <ProblemNote error={error} retry={() => void refetch()} />;
  }
  return (
    <>
      <PageHead
        title={rule.name}
        sentence={rule.enabled ? texts.isOn : texts.isOff}
        tone={rule.enabled ? 'idle' : 'warning'}
        actions={<DeleteRule rule={rule} />}
      />
      <EditRule key={rule.updated_at} rule={rule} />
    </>
  );
}

function EditRule({ rule }: { rule: AlertRule }) {
  const form = useForm<RuleInput>({ initialValues: inputOf(rule) });
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: async () =>
      (await call<One<AlertRule>>('PATCH', `/v1/alert-rules/${rule.id}`, ruleBody(form.values))).data,
    onSuccess(saved) {
      toast({ text: texts.saved(saved.name), undo: null });
      queries.setQueryData(['alert-rule', saved.id], saved);
      void queries.invalidateQueries({ queryKey: ['alert-rules'] });
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  return (
    <FormPanel
      {...{ label: texts.settings, submit: texts.save, action: save, cancel: '/settings/alert-rules' }}
      onSubmit={() => save.mutate()}
    >
      <RuleFields form={form} isNew={false} />
    </FormPanel>
  );
}

/** Deleted at once. The way back creates a rule with the same settings. */
function DeleteRule({ rule }: { rule: AlertRule }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const changed = () => queries.invalidateQueries({ queryKey: ['alert-rules'] });
  const restore = async () => {
    await call('POST', '/v1/alert-rules', bodyOf(rule)).then(
      () => toast({ text: texts.restored(rule.name), undo: null }),
      () => toast({ text: texts.notRestored(rule.name), undo: () => void restore() }),
    );
    await changed();
  };
  const remove = useMutation({
    mutationFn: () => call('DELETE', `/v1/alert-rules/${rule.id}`),
    async onSuccess() {
      toast({ text: texts.deleted(rule.name), undo: () => void restore() });
      await navigate({ to: '/settings/alert-rules' });
      queries.removeQueries({ queryKey: ['alert-rule', rule.id] });
      await changed();
    },
  });
  return (
    <>
      <Button variant="default" onClick={() => remove.mutate()} loading={remove.isPending}>
        {texts.delete}
      </Button>
      <ActionProblem error={remove.error} />
    </>
  );
}
