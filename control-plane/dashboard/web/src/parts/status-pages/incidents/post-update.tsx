import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { fieldErrors } from '../../../api/field-errors.ts';
import type { One, StatusPageIncident } from '../../../api/types.ts';
import { FormPanel } from '../../../components/form/form-panel.tsx';
import { useKeptForm } from '../../../components/form/use-kept-form.ts';
import { toast } from '../../../components/toasts.tsx';
import { texts } from '../texts/texts.ts';
import { UpdateFields } from './fields.tsx';
import { nextState, type UpdateInput } from './input.ts';

/** What the draft of an update is called. */
export const updateDraftOf = (incidentId: string) => `update of ${incidentId}`;

interface PostUpdateProps {
  incident: StatusPageIncident;
  /** Of the incident in the API. */
  path: string;
  pageId: string;
}

/** Says how things are now. */
export function PostUpdate({ incident: { id, state }, path, pageId }: PostUpdateProps) {
  const words = texts.incidents;
  const begins: UpdateInput = { state: nextState(state), text: '' };
  const { form, forget } = useKeptForm<UpdateInput>(updateDraftOf(id), begins, false);
  const queries = useQueryClient();
  const post = useMutation({
    mutationFn: async () => {
      const body = { state: form.values.state, text: form.values.text.trim() };
      return (await call<One<StatusPageIncident>>('POST', `${path}/updates`, body)).data;
    },
    onSuccess(changed) {
      forget();
      toast({ text: words.posted, undo: null });
      queries.setQueryData(['status-page-incident', id], changed);
      void queries.invalidateQueries({ queryKey: ['status-page-incidents', pageId] });
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  return (
    <FormPanel
      {...{ label: words.update, submit: words.publishUpdate, action: post, cancel: null }}
      onSubmit={() => post.mutate()}
    >
      <h2>{words.update}</h2>
      <UpdateFields form={form} />
    </FormPanel>
  );
}
