import { Button, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ClipboardEvent, type FormEvent, useEffect, useRef, useState } from 'react';
import { call } from '../../../api/client.ts';
import type { CreateMonitor, Monitor, One } from '../../../api/types.ts';
import { useMayWrite } from '../../../app/account.ts';
import { useDraft, useForgotten } from '../../../components/form/use-draft.ts';
import { texts } from '../../../texts/app/texts.ts';
import type { Suggestion } from '../pasted/address.ts';
import { pastedLines } from '../pasted/lines.ts';
import { Answers } from './answers.tsx';
import { ChannelStep } from './channel-step.tsx';
import type { CreatedList } from './created-list.ts';
import { Many } from './many.tsx';
import { ManyAnswers } from './many-answers.tsx';
import { Proposal } from './proposal.tsx';
import { listOf, type PastedList, type Row } from './rows.ts';
import { texts as watchTexts } from './texts.ts';
import './watch.css';

/** Of a list that is changed after it was shown. */
const LIST_ROWS = 8;

/** What a person has entered, which stays while they look at another page. */
interface Entered {
  typed: string;
  list: PastedList | null;
}

/** From one field to the first answers: the address, what Picket makes of it, and what the locations see. */
export function Watch({ onBegin = () => {} }: { onBegin?: () => void }) {
  const mayWrite = useMayWrite();
  const draft = useDraft<Entered>('watch');
  const [typed, setTyped] = useState(draft.entered?.typed ?? '');
  const [suggestion, setSuggestion] = useState<Suggestion | null>(null);
  const [monitor, setMonitor] = useState<Monitor | null>(null);
  const [list, setList] = useState<PastedList | null>(draft.entered?.list ?? null);
  const [createdList, setCreatedList] = useState<CreatedList | null>(null);
  const isDone = monitor !== null || createdList !== null;
  useEffect(() => {
    if (isDone) draft.forget();
    // One address is typed again in a moment, a list is not.
    else draft.keep({ typed, list }, list !== null);
  }, [draft, isDone, typed, list]);
  useForgotten(mayWrite ? null : 'watch');
  const create = useMutation({
    mutationFn: async (body: CreateMonitor) => (await call<One<Monitor>>('POST', '/v1/monitors', body)).data,
    onSuccess(created) {
      // Also when the person looks at another page meanwhile.
      draft.forget();
      setMonitor(created);
    },
  });
  const restart = (keepsText: boolean) => {
    setMonitor(null);
    setSuggestion(null);
    setList(null);
    setCreatedList(null);
    create.reset();
    if (!keepsText) setTyped('');
  };
  if (!mayWrite) return <p className="note">{texts.watch.viewerOnly}</p>;
  if (isDone) {
    return (
      <div className="stack">
        {monitor === null ? null : <Answers created={monitor} restart={() => restart(false)} />}
        {createdList === null ? null : <ManyAnswers created={createdList} restart={() => restart(false)} />}
        <ChannelStep />
      </div>
    );
  }
  const begin =
    <What,>(set: (what: What) => void) =>
    (what: What) => {
      onBegin();
      set(what);
    };
  if (list !== null) {
    const change = (rows: readonly Row[]) => setList({ ...list, rows });
    const created = (made: CreatedList) => {
      draft.forget();
      begin(setCreatedList)(made);
    };
    return <Many {...{ list, change, created }} back={() => restart(true)} sending={onBegin} />;
  }
  if (suggestion !== null) {
    return <Proposal suggestion={suggestion} create={create} back={() => restart(true)} />;
  }
  const listed = begin((text: string) => setList(listOf(text)));
  return <Target {...{ typed, type: setTyped, listed }} suggested={begin(setSuggestion)} />;
}

interface TargetProps {
  typed: string;
  type(text: string): void;
  suggested(suggestion: Suggestion): void;
  listed(text: string): void;
}

function Target({ typed, type, suggested, listed }: TargetProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const [first, ...others] = pastedLines(typed);
    if (others.some(({ repeats }) => repeats === null)) return listed(typed);
    const found = first?.found ?? 'nothing';
    if (typeof found !== 'string') return suggested({ ...found, name: first?.name || found.name });
    setProblem(texts.watch[found]);
    field.current?.focus();
  };
  // A field of one line would join the lines.
  const pasted = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text');
    if (!/[\r\n]/.test(text.trim()) || pastedLines(text).length < 2) return;
    event.preventDefault();
    type(text.trim());
    listed(text);
  };
  const props = {
    ...{ ref: field, name: 'target', label: texts.watch.target, placeholder: texts.watch.placeholder, size: 'md' },
    ...{ value: typed, error: problem, autoFocus: true, autoComplete: 'off', spellCheck: false },
    autoCapitalize: 'none',
    onPaste: pasted,
  };
  return (
    <form className="panel watch" onSubmit={submit} noValidate>
      {typed.includes('\n') ? (
        <Textarea {...props} rows={LIST_ROWS} onChange={({ currentTarget }) => type(currentTarget.value)} />
      ) : (
        <TextInput {...props} onChange={({ currentTarget }) => type(currentTarget.value)} />
      )}
      <p className="soft">{watchTexts.hint}</p>
      <div className="page-actions">
        <Button type="submit">{texts.watch.suggest}</Button>
      </div>
    </form>
  );
}
