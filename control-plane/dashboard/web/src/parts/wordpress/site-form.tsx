import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import type { CreatedSite, One } from '../../api/types.ts';
import { ActionProblem } from '../../components/problem-note.tsx';
import { codeKey, type KnownCode, sitesPath } from './queries.ts';
import { texts } from './texts/texts.ts';

/** Adds a site, and opens its page, which shows how to connect it. */
export function SiteForm() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [isMissing, setMissing] = useState(false);
  const create = useMutation({
    mutationFn: async () =>
      (await call<One<CreatedSite>>('POST', sitesPath, { name: name.trim(), url: url.trim() })).data,
    async onSuccess({ id, activation_code, code_expires_at }) {
      const known: KnownCode = { code: activation_code, expiresAt: code_expires_at ?? '' };
      queries.setQueryData(codeKey(id), known);
      for (const queryKey of [['sites'], ['billing']]) void queries.invalidateQueries({ queryKey });
      await navigate({ to: `/wordpress/${id}` });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isIncomplete = name.trim() === '' || url.trim() === '';
    setMissing(isIncomplete);
    if (!isIncomplete) create.mutate();
  };
  const wrong = fieldErrors(create.error);
  return (
    <form className="panel site-form" onSubmit={submit} noValidate>
      <TextInput
        {...{ name: 'name', label: texts.form.name, value: name, error: wrong['name'], maxLength: 200 }}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <TextInput
        {...{ name: 'url', type: 'url', label: texts.form.url, placeholder: texts.form.placeholder, value: url }}
        {...{
          error: wrong['url'] ?? (isMissing ? texts.form.missing : undefined),
          maxLength: 500,
          autoComplete: 'off',
        }}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      {Object.keys(wrong).length === 0 ? <ActionProblem error={create.error} /> : null}
      <div className="page-actions">
        <Button type="submit" loading={create.isPending}>
          {texts.form.create}
        </Button>
      </div>
    </form>
  );
}
