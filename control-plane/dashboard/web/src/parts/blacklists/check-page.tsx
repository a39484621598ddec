import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { ApiProblem, call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import type { InstantCheck, One } from '../../api/types.ts';
import { useMayWrite } from '../../app/account.ts';
import { PageHead } from '../../components/page/page-head.tsx';
import { ActionProblem } from '../../components/problem-note.tsx';
import { Said } from '../../components/said.tsx';
import { AddForm } from './add-form.tsx';
import { Answers, Asking } from './answers.tsx';
import type { TargetSearch } from './filter.ts';
import { instantCheckPath, providersQuery } from './queries.ts';
import { texts } from './texts/texts.ts';
import './blacklists.css';

/** Asks all lists about an address now. */
export function CheckPage() {
  const mayWrite = useMayWrite();
  return (
    <>
      <PageHead title={texts.instant.title} sentence={mayWrite ? texts.instant.lead : texts.instant.viewer} />
      {mayWrite ? <Check /> : null}
    </>
  );
}

function Check() {
  const { target: first = '' }: TargetSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const providers = useQuery(providersQuery).data ?? [];
  const [target, setTarget] = useState(first);
  const [missing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const check = useMutation({
    meta: { saysItself: true },
    mutationFn: async (asked: string) =>
      (await call<One<InstantCheck>>('POST', instantCheckPath, { target: asked })).data,
    onError: () => field.current?.focus(),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const asked = target.trim();
    setMissing(asked === '');
    if (asked === '') return field.current?.focus();
    void navigate({ to: '/blacklists/check', search: { target: asked }, replace: true });
    check.mutate(asked);
  };
  const problem = missing ? texts.form.missing : fieldErrors(check.error)['target'];
  return (
    <div className="stack">
      <form className="panel blacklist-form" onSubmit={submit} noValidate>
        <TextInput
          {...{ ref: field, name: 'target', label: texts.instant.target, placeholder: texts.form.placeholder }}
          {...{ size: 'md', value: target, error: problem, maxLength: 254, autoFocus: true }}
          {...{ autoComplete: 'off', spellCheck: false, autoCapitalize: 'none' }}
          onChange={({ currentTarget }) => setTarget(currentTarget.value)}
        />
        <div className="page-actions">
          <Button type="submit" loading={check.isPending}>
            {texts.instant.submit}
          </Button>
        </div>
        {problem === undefined ? <Problem error={check.error} /> : null}
        <p className="soft">{texts.instant.limits}</p>
      </form>
      <div role="status">
        {check.isPending ? <p className="note">{texts.instant.running(check.variables)}</p> : null}
        {check.data === undefined ? null : <Verdict check={check.data} />}
      </div>
      {check.isPending ? <Asking providers={providers} /> : null}
      {check.data === undefined ? null : (
        <div className="columns">
          <Answers results={check.data.results} notAsked={check.data.not_asked} />
          <section>
            <h2 className="blacklist-watch">{texts.form.title}</h2>
            <AddForm key={check.data.target} first={check.data.target} />
          </section>
        </div>
      )}
    </div>
  );
}

function Problem({ error }: { error: unknown }) {
  if (!(error instanceof ApiProblem) || error.status !== 429) return <ActionProblem error={error} />;
  return (
    <p className="note bad" role="alert">
      {texts.instant.limited(error.retryAfterS ?? 60)}
    </p>
  );
}

function Verdict({ check }: { check: InstantCheck }) {
  const { target, listed, responding, rating, checked_at } = check;
  const words = texts.instant;
  const said =
    rating === 'unresolvable'
      ? words.unresolvable(target)
      : responding === 0
        ? words.noAnswer(target)
        : listed > 0
          ? words.listed(target, listed, responding)
          : words.clean(target, responding);
  const tone = listed > 0 ? 'bad' : responding > 0 && rating !== 'unresolvable' ? 'good' : '';
  return (
    <p className={`note ${tone}`}>
      {said}{' '}
      <span className="soft">
        <Said words={(time) => words.checkedAt(time(checked_at, 'second'))} />
      </span>
    </p>
  );
}
