import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { call } from '../../../api/client.ts';
import type { CreateMonitor, Monitor, One } from '../../../api/types.ts';
import { useMayWrite } from '../../../app/account.ts';
import { texts } from '../../../texts/app/texts.ts';
import { Answers } from './answers.tsx';
import { Proposal } from './proposal.tsx';
import { type Suggestion, suggest } from './suggest.ts';
import './watch.css';

/** From one field to the first answers: the address, what Picket makes of it, and what the locations see. */
export function Watch() {
  const mayWrite = useMayWrite();
  const [typed, setTyped] = useState('');
  const [suggestion, setSuggestion] = useState<Suggestion | null>(null);
  const [monitor, setMonitor] = useState<Monitor | null>(null);
  const create = useMutation({
    mutationFn: async (body: CreateMonitor) => (await call<One<Monitor>>('POST', '/v1/monitors', body)).data,
    onSuccess: setMonitor,
  });
  const restart = (keepsText: boolean) => {
    setMonitor(null);
    setSuggestion(null);
    create.reset();
    if (!keepsText) setTyped('');
  };
  if (!mayWrite) return <p className="note">{texts.watch.viewerOnly}</p>;
  if (monitor !== null) return <Answers created={monitor} restart={() => restart(false)} />;
  if (suggestion !== null) {
    return <Proposal suggestion={suggestion} create={create} back={() => restart(true)} />;
  }
  return <Target typed={typed} type={setTyped} suggested={setSuggestion} />;
}

interface TargetProps {
  typed: string;
  type(text: string): void;
  suggested(suggestion: Suggestion): void;
}

function Target({ typed, type, suggested }: TargetProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const answer = suggest(typed);
    if (typeof answer !== 'string') return suggested(answer);
    setProblem(texts.watch[answer]);
    field.current?.focus();
  };
  return (
    <form className="panel watch" onSubmit={submit} noValidate>
      <TextInput
        {...{ ref: field, name: 'target', label: texts.watch.target, placeholder: texts.watch.placeholder, size: 'md' }}
        {...{
          value: typed,
          error: problem,
          autoFocus: true,
          autoComplete: 'off',
          spellCheck: false,
          autoCapitalize: 'none',
        }}
        onChange={({ currentTarget }) => type(currentTarget.value)}
      />
      <div className="page-actions">
        <Button type="submit">{texts.watch.suggest}</Button>
      </div>
    </form>
  );
}
