import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { fieldErrors } from '../../../api/field-errors.ts';
import type { One, StatusPage, StatusPageIncident } from '../../../api/types.ts';
import { isSame } from '../../../components/editing/paths.ts';
import { FormPanel } from '../../../components/form/form-panel.tsx';
import { editOf } from '../../../components/form/use-draft.ts';
import { useKeptForm } from '../../../components/form/use-kept-form.ts';
import { toast } from '../../../components/toasts.tsx';
import { texts } from '../texts/texts.ts';
import { AffectedFields, TitleField } from './fields.tsx';
import { type AboutInput, aboutOf } from './input.ts';

interface EditAboutProps {
  incident: StatusPageIncident;
  page: StatusPage;
  /** Of the incident in the API. */
  path: string;
}

/** Title, impact and components. Only what was changed is sent, so that another person's change of another field stays. */
export function EditAbout({ incident, page, path }: EditAboutProps) {
  const words = texts.incidents;
  const { form, forget } = useKeptForm<AboutInput>(editOf(path), aboutOf(incident), false);
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: async () => {
      const before = Object.entries(aboutOf(incident));
      const changed = before.filter(([field, value]) => !isSame(form.values[field as keyof AboutInput], value));
      const body = Object.fromEntries(changed.map(([field]) => [field, form.values[field as keyof AboutInput]]));
      return (await call<One<StatusPageIncident>>('PATCH', path, body)).data;
    },
    onSuccess(saved) {
      forget();
      toast({ text: texts.saved(saved.title), undo: null });
      queries.setQueryData(['status-page-incident', saved.id], saved);
      void queries.invalidateQueries({ queryKey: ['status-page-incidents', page.id] });
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  return (
    <FormPanel
      {...{ label: words.about, submit: texts.save, action: save, cancel: null }}
      onSubmit={() => save.mutate()}
    >
      <h2>{words.about}</h2>
      <TitleField form={form} />
      <AffectedFields form={form} page={page} />
    </FormPanel>
  );
}
