import { Button, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { fieldErrors } from '../../../api/field-errors.ts';
import { apiPath } from '../../../api/path.ts';
import type { One, StatusPageIncident } from '../../../api/types.ts';
import { useKeptForm } from '../../../components/form/use-kept-form.ts';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { toast } from '../../../components/toasts.tsx';
import { texts as frame } from '../../../texts/app/texts.ts';
import { texts } from '../texts/texts.ts';
import { TEXT_CHARS_MAX } from './fields.tsx';

interface EditTextProps {
  update: StatusPageIncident['updates'][number];
  /** Of the incident in the API. */
  path: string;
  close(): void;
}

/** Edits the text of an update. The public page says that it was edited. */
export function EditText({ update: { id, text }, path, close }: EditTextProps) {
  const words = texts.incidents;
  const { form, forget } = useKeptForm(`text of ${id}`, { text }, false);
  const queries = useQueryClient();
  const leave = () => {
    forget();
    close();
  };
  const save = useMutation({
    mutationFn: async () => {
      const body = { text: form.values.text.trim() };
      const ofText = apiPath`/updates/${id}/text`;
      return (await call<One<StatusPageIncident>>('PUT', `${path}${ofText}`, body)).data;
    },
    onSuccess(changed) {
      leave();
      toast({ text: words.textSaved, undo: null });
      queries.setQueryData(['status-page-incident', changed.id], changed);
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  return (
    <form
      className="stack"
      aria-label={words.editText}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Textarea
        {...{ label: words.text, description: words.editTextHelp, rows: 4, maxLength: TEXT_CHARS_MAX }}
        {...form.getInputProps('text')}
      />
      {Object.keys(fieldErrors(save.error)).length === 0 ? <ActionProblem error={save.error} /> : null}
      <div className="page-actions">
        <Button type="submit" loading={save.isPending}>
          {texts.save}
        </Button>
        <Button variant="default" onClick={leave}>
          {frame.dialog.cancel}
        </Button>
      </div>
    </form>
  );
}
