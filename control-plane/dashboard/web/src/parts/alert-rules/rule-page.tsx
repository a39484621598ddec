import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { call, isNotFound, send } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { apiPath } from '../../api/path.ts';
import type { AlertRule, One } from '../../api/types.ts';
import { mayManage, useAccount } from '../../app/account.ts';
import { KeptNote } from '../../components/editing/kept-note.tsx';
import { FormPanel } from '../../components/form/form-panel.tsx';
import { editOf, forgetEdit, useForgotten } from '../../components/form/use-draft.ts';
import { useKeptForm } from '../../components/form/use-kept-form.ts';
import { Gone } from '../../components/page/gone.tsx';
import { PageHead } from '../../components/page/page-head.tsx';
import { UnreadPage } from '../../components/page/unread-page.tsx';
import { ActionProblem, isUncertain } from '../../components/problem-note.tsx';
import { toast } from '../../components/toasts.tsx';
import { ruleName } from '../../texts/default-names.ts';
import { bodyOf, changedBody, inputOf } from './input.ts';
import { ruleQuery, useOptions } from './queries.ts';
import { RuleFields } from './rule-form.tsx';
import { ruleSentence } from './sentence.ts';
import { texts } from './texts/texts.ts';
import './alert-rules.css';

export function AlertRulePage() {
  const { ruleId: id = '' } = useParams({ strict: false }) as { ruleId?: string };
  const { data: rule, error, refetch } = useQuery(ruleQuery(id));
  const mayChange = mayManage(useAccount());
  const path = apiPath`/v1/alert-rules/${id}`;
  useForgotten(mayChange ? null : editOf(path));
  if (rule === undefined) {
    const gone = <Gone text={texts.notFound} to="/settings/alert-rules" label={texts.toList} edited={path} />;
    return <UnreadPage key={id} error={error} retry={() => void refetch()} gone={gone} />;
  }
  return (
    <>
      <PageHead
        title={ruleName(rule)}
        sentence={rule.enabled ? texts.isOn : texts.isOff}
        tone={rule.enabled ? 'idle' : 'warning'}
        actions={mayChange ? <DeleteRule rule={rule} /> : undefined}
      />
      {mayChange ? (
        <EditRule key={rule.updated_at} rule={rule} isGone={isNotFound(error)} />
      ) : (
        <RuleInWords rule={rule} />
      )}
    </>
  );
}

/** For people who may not change it: pages of servers and the timeline link here for everybody. */
function RuleInWords({ rule }: { rule: AlertRule }) {
  const { names } = useOptions();
  return (
    <section className="panel">
      <p className="wrap">{ruleSentence(inputOf(rule), names)}</p>
    </section>
  );
}

/** Only what was changed is sent, so that somebody else's change to another field stays. */
function EditRule({ rule, isGone }: { rule: AlertRule; isGone: boolean }) {
  const path = apiPath`/v1/alert-rules/${rule.id}`;
  const { form, forget, isKept, discard } = useKeptForm(editOf(path), inputOf(rule), isGone);
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: async () => {
      const body = changedBody(rule, form.values);
      return body === null ? rule : (await call<One<AlertRule>>('PATCH', path, body)).data;
    },
    onSuccess(saved) {
      forget();
      toast({ text: texts.saved(ruleName(saved)), undo: null });
      queries.setQueryData(['alert-rule', saved.id], saved);
      void queries.invalidateQueries({ queryKey: ['alert-rules'] });
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  return (
    <FormPanel
      {...{ label: texts.settings, submit: texts.save, action: save, cancel: '/settings/alert-rules' }}
      cancelled={forget}
      onSubmit={() => save.mutate()}
    >
      <KeptNote isKept={isKept} discard={discard} />
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
    // Whoever got no answer may press it again.
    const once = { body: bodyOf(rule), idempotencyKey: `restore-${rule.id}` };
    await send('POST', '/v1/alert-rules', once).then(
      () => toast({ text: texts.restored(ruleName(rule)), undo: null }),
      (error: unknown) => {
        const text = texts.notRestored(ruleName(rule), isUncertain(error));
        toast({ text, undo: () => void restore() });
      },
    );
    await changed();
  };
  const path = apiPath`/v1/alert-rules/${rule.id}`;
  const remove = useMutation({
    mutationFn: () => call('DELETE', path),
    async onSuccess() {
      toast({ text: texts.deleted(ruleName(rule)), undo: () => void restore() });
      await navigate({ to: '/settings/alert-rules' });
      forgetEdit(queries, path);
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
