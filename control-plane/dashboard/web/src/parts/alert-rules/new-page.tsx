import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import type { AlertRule, One } from '../../api/types.ts';
import { mayManage, useAccount } from '../../app/account.ts';
import { FormPanel } from '../../components/form/form-panel.tsx';
import { useForgotten } from '../../components/form/use-draft.ts';
import { useKeptForm } from '../../components/form/use-kept-form.ts';
import { NotAllowed } from '../../components/page/not-allowed.tsx';
import { PageHead } from '../../components/page/page-head.tsx';
import { toast } from '../../components/toasts.tsx';
import { emptyRule, type RuleInput, ruleBody } from './input.ts';
import { RuleFields } from './rule-form.tsx';
import { texts } from './texts/texts.ts';
import './alert-rules.css';

export function NewAlertRulePage() {
  const { form, forget } = useKeptForm<RuleInput>('alert-rule', emptyRule(), false);
  const mayChange = mayManage(useAccount());
  useForgotten(mayChange ? null : 'alert-rule');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: async () => (await call<One<AlertRule>>('POST', '/v1/alert-rules', ruleBody(form.values))).data,
    async onSuccess(rule) {
      forget();
      toast({ text: texts.created(rule.name), undo: null });
      void queries.invalidateQueries({ queryKey: ['alert-rules'] });
      await navigate({ to: '/settings/alert-rules' });
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  if (!mayChange) return <NotAllowed title={texts.add} />;
  return (
    <>
      <PageHead title={texts.add} sentence={texts.addSentence} />
      <FormPanel
        {...{ label: texts.add, submit: texts.create, action: create, cancel: '/settings/alert-rules' }}
        cancelled={forget}
        onSubmit={() => create.mutate()}
      >
        <RuleFields form={form} isNew />
      </FormPanel>
    </>
  );
}
