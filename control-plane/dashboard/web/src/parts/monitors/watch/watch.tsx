import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ClipboardEvent, type FormEvent, useRef, useState } from 'react';
import { call } from '../../../api/client.ts';
import type { CreateMonitor, Monitor, One } from '../../../api/types.ts';
import { useMayWrite } from '../../../app/account.ts';
import { texts } from '../../../texts/app/texts.ts';
import { Answers } from './answers.tsx';
import { ChannelStep } from './channel-step.tsx';
import { Many } from './many.tsx';
import { ManyAnswers } from './many-answers.tsx';
import { Proposal } from './proposal.tsx';
import { type Suggestion, suggest } from './suggest.ts';
import { addressesIn } from './suggest-many.ts';
import { texts as watchTexts } from './texts.ts';
import './watch.css';

/** From one field to the first answers: the address, what Picket makes of it, and what the locations see. */
export function Watch({ onBegin = () => {} }: { onBegin?: () => void }) {
  const mayWrite = useMayWrite();
  const [typed, setTyped] = useState('');
  const [suggestion, setSuggestion] = useState<Suggestion | null>(null);
  const [monitor, setMonitor] = useState<Monitor | null>(null);
  const [list, setList] = useState<string | null>(null);
  const [ids, setIds] = useState<readonly string[] | null>(null);
  const create = useMutation({
    mutationFn: async (body: CreateMonitor) => (await call<One<Monitor>>('POST', '/v1/monitors', body)).data,
    onSuccess: setMonitor,
  });
  const restart = (keepsText: boolean) => {
    setMonitor(null);
    setSuggestion(null);
    setList(null);
    setIds(null);
    create.reset();
    if (!keepsText) setTyped('');
  };
  if (!mayWrite) return <p className="note">{texts.watch.viewerOnly}</p>;
  if (monitor !== null || ids !== null) {
    return (
      <div className="stack">
        {monitor === null ? null : <Answers created={monitor} restart={() => restart(false)} />}
        {ids === null ? null : <ManyAnswers ids={ids} restart={() => restart(false)} />}
        <ChannelStep />
      </div>
    );
  }
  if (list !== null) return <Many text={list} back={() => restart(true)} created={setIds} />;
  if (suggestion !== null) {
    return <Proposal suggestion={suggestion} create={create} back={() => restart(true)} />;
  }
  const begin =
    <What,>(set: (what: What) => void) =>
    (what: What) => {
      onBegin();
      set(what);
    };
  return <Target {...{ typed, type: setTyped }} suggested={begin(setSuggestion)} listed={begin(setList)} />;
}

interface TargetProps {
  typed: string;
  type(text: string): void;
  suggested(suggestion: Suggestion): void;
  listed(text: string): void;
}

function Target({ typed, type, suggested, listed }: TargetProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (addressesIn(typed).length > 1) return listed(typed);
    const answer = suggest(typed);
    if (typeof answer !== 'string') return suggested(answer);
    setProblem(texts.watch[answer]);
    field.current?.focus();
  };
  // A field of one line would join the lines.
  const pasted = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text');
    if (!/[\r\n]/.test(text.trim()) || addressesIn(text).length < 2) return;
    event.preventDefault();
    type(addressesIn(text).join(' '));
    listed(text);
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
        onPaste={pasted}
      />
      <p className="soft">{watchTexts.hint}</p>
      <div className="page-actions">
        <Button type="submit">{texts.watch.suggest}</Button>
      </div>
    </form>
  );
}
