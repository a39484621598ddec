import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import type { BlacklistMonitor, One } from '../../api/types.ts';
import { ActionProblem } from '../../components/problem-note.tsx';
import { monitorsPath } from './queries.ts';
import { texts } from './texts/texts.ts';

const FREQUENCIES = ['hourly', 'daily', 'weekly'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** The choice of how often an address is checked. */
export function FrequencyField({ value, change }: { value: Frequency; change(value: Frequency): void }) {
  return (
    <NativeSelect
      {...{ label: texts.form.frequency, value }}
      data={FREQUENCIES.map((one) => ({ value: one, label: texts.form.frequencies[one] }))}
      onChange={({ currentTarget }) => change(FREQUENCIES.find((one) => one === currentTarget.value) ?? 'hourly')}
    />
  );
}

/** Adds an address, and opens its page, where the first answers appear. */
export function AddForm({ first = '' }: { first?: string }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [target, setTarget] = useState(first);
  const [frequency, setFrequency] = useState<Frequency>('hourly');
  const [missing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const create = useMutation({
    mutationFn: async () =>
      (await call<One<BlacklistMonitor>>('POST', monitorsPath, { target: target.trim(), frequency })).data,
    async onSuccess(monitor) {
      queries.setQueryData(['blacklist-monitor', monitor.id], monitor);
      void queries.invalidateQueries({ queryKey: ['blacklist-monitors'] });
      void queries.invalidateQueries({ queryKey: ['billing'] });
      await navigate({ to: `/blacklists/${monitor.id}` });
    },
    onError: () => field.current?.focus(),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(target.trim() === '');
    if (target.trim() === '') return field.current?.focus();
    create.mutate();
  };
  const problem = missing ? texts.form.missing : fieldErrors(create.error)['target'];
  return (
    <form className="panel blacklist-form" onSubmit={submit} noValidate>
      <TextInput
        {...{ ref: field, name: 'target', label: texts.form.target, placeholder: texts.form.placeholder, size: 'md' }}
        {...{ description: texts.form.help, value: target, error: problem, maxLength: 254, autoFocus: first === '' }}
        {...{ autoComplete: 'off', spellCheck: false, autoCapitalize: 'none' }}
        onChange={({ currentTarget }) => setTarget(currentTarget.value)}
      />
      <FrequencyField value={frequency} change={setFrequency} />
      {problem === undefined ? <ActionProblem error={create.error} /> : null}
      <div className="page-actions">
        <Button type="submit" loading={create.isPending}>
          {texts.form.create}
        </Button>
      </div>
    </form>
  );
}
