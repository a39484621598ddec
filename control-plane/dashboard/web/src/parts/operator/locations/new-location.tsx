import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { fieldErrors } from '../../../api/field-errors.ts';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { toast } from '../../../components/toasts.tsx';
import { texts } from '../texts/texts.ts';
import { LocationFields } from './location-fields.tsx';
import { bodyOf, type LocationValues } from './values.ts';
import '../../../components/form/form-panel.css';

const words = texts.locations;
const CODE_CHARS_MAX = 8;

export function NewLocation({ close }: { close(): void }) {
  const queries = useQueryClient();
  const [code, setCode] = useState('');
  const form = useForm<LocationValues>({ initialValues: { city: '', region: '', canary_targets: '' } });
  const create = useMutation({
    mutationFn: (values: LocationValues) => call('POST', '/v1/admin/locations', { code, ...bodyOf(values) }),
    async onSuccess(_answer, { city }) {
      await queries.invalidateQueries({ queryKey: ['locations'] });
      toast({ text: words.added(city.trim()), undo: null });
      close();
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  const errors = fieldErrors(create.error);
  return (
    <form
      className="panel form-panel"
      aria-label={words.add}
      onSubmit={form.onSubmit((values) => create.mutate(values))}
      noValidate
    >
      <TextInput
        {...{ label: words.fields.code, description: words.fields.codeHelp, value: code, error: errors['code'] }}
        {...{ maxLength: CODE_CHARS_MAX, autoFocus: true, autoComplete: 'off' }}
        onChange={({ currentTarget }) => setCode(currentTarget.value.trim().toLowerCase())}
      />
      <LocationFields form={form} />
      {Object.keys(errors).length === 0 ? <ActionProblem error={create.error} /> : null}
      <div className="page-actions">
        <Button type="submit" loading={create.isPending}>
          {words.create}
        </Button>
        <Button variant="default" onClick={close}>
          {words.cancel}
        </Button>
      </div>
    </form>
  );
}
