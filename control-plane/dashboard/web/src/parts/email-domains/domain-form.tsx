import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import type { EmailDomainWithAreas, One } from '../../api/types.ts';
import { tagsOf } from '../../components/form/tags.ts';
import { ActionProblem } from '../../components/problem-note.tsx';
import { domainsPath } from './queries.ts';
import { texts } from './texts/texts.ts';

/** Adds a domain, and opens its page, where the first result appears. */
export function DomainForm() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [selectors, setSelectors] = useState('');
  const [isMissing, setMissing] = useState(false);
  const create = useMutation({
    mutationFn: async () => {
      const body = { name: name.trim(), dkim_selectors: tagsOf(selectors) };
      return (await call<One<EmailDomainWithAreas>>('POST', domainsPath, body)).data;
    },
    async onSuccess({ id }) {
      for (const queryKey of [['email-domains'], ['billing']]) void queries.invalidateQueries({ queryKey });
      await navigate({ to: `/email-domains/${id}` });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(name.trim() === '');
    if (name.trim() !== '') create.mutate();
  };
  const wrong = fieldErrors(create.error);
  return (
    <form className="panel email-form" onSubmit={submit} noValidate>
      <TextInput
        {...{ name: 'name', label: texts.form.name, placeholder: texts.form.placeholder, value: name }}
        {...{ error: wrong['name'] ?? (isMissing ? texts.form.missing : undefined), maxLength: 253 }}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <TextInput
        {...{ name: 'selectors', label: texts.form.selectors, description: texts.form.selectorsHelp }}
        {...{ value: selectors, error: wrong['dkim_selectors'], maxLength: 640 }}
        onChange={({ currentTarget }) => setSelectors(currentTarget.value)}
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
