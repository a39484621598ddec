import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldErrors } from '../../../api/field-errors.ts';
import { apiPath } from '../../../api/path.ts';
import type { One, SingleSignOnDomain } from '../../../api/types.ts';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { confirmedCall } from '../../../components/confirm-identity/confirmed-call.ts';
import { CopyField } from '../../../components/form/copy-field.tsx';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { Mark } from '../../../components/status-mark.tsx';
import { Time } from '../../../components/time/time.tsx';
import { toast } from '../../../components/toasts.tsx';
import { texts } from '../texts/texts.ts';

const PATH = '/v1/single-sign-on/domains';
const DOMAIN_CHARS_MAX = 253;

/** The domains whose people can log in, and the records that prove that they belong to the workspace. */
export function Domains({ domains, isOwner }: { domains: readonly SingleSignOnDomain[]; isOwner: boolean }) {
  return (
    <section className="panel">
      <h2>{texts.sso.domains}</h2>
      <p>{texts.sso.domainsHelp}</p>
      <ul className="rows">
        {domains.map((domain) => (
          <DomainRow key={domain.domain} domain={domain} isOwner={isOwner} />
        ))}
      </ul>
      {isOwner ? <AddDomain /> : null}
    </section>
  );
}

function DomainRow({ domain, isOwner }: { domain: SingleSignOnDomain; isOwner: boolean }) {
  const { domain: name, verified, record, checked_at: checkedAt } = domain;
  const words = texts.sso;
  const queries = useQueryClient();
  const settled = () => queries.invalidateQueries({ queryKey: ['team', 'domains'] });
  const path = apiPath`/v1/single-sign-on/domains/${name}`;
  const verify = useMutation({
    mutationFn: async () => (await confirmedCall<One<SingleSignOnDomain>>('POST', `${path}/verify`)).data,
    onSettled: settled,
  });
  const remove = useMutation({
    mutationFn: () => confirmedCall('DELETE', path),
    onSuccess: () => toast({ text: words.domainRemoved(name), undo: null }),
    onSettled: settled,
  });
  return (
    <li className="stack sso-domain">
      <div className="team-row">
        <p className="row-main wrap">
          <Mark as={verified ? 'up' : 'unknown'} word={verified ? words.verified : words.notVerified} quiet={false} />{' '}
          <bdi className="strong">{name}</bdi>
          {checkedAt === null ? null : (
            <span className="row-detail">
              {words.checked} <Time at={checkedAt} />
            </span>
          )}
        </p>
        {isOwner ? (
          <div className="page-actions">
            {verified ? null : (
              <Button onClick={() => verify.mutate()} loading={verify.isPending}>
                {words.verify}
                <span className="only-spoken"> {name}</span>
              </Button>
            )}
            <ConfirmButton label={texts.remove} title={words.removeDomain(name)} action={remove}>
              {words.removeDomainText}
            </ConfirmButton>
          </div>
        ) : null}
      </div>
      {verified ? null : (
        <div className="stack">
          <p>{words.record}</p>
          <CopyField label={words.recordName} value={record.name} />
          <CopyField label={words.recordValue} value={record.value} />
        </div>
      )}
      <ActionProblem error={verify.error} />
    </li>
  );
}

function AddDomain() {
  const [domain, setDomain] = useState('');
  const queries = useQueryClient();
  const add = useMutation({
    mutationFn: () => confirmedCall('POST', PATH, { domain: domain.trim() }),
    onSuccess() {
      setDomain('');
      void queries.invalidateQueries({ queryKey: ['team', 'domains'] });
    },
  });
  const domainError = fieldErrors(add.error)['domain'];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <div className="team-invite">
        <TextInput
          {...{ label: texts.sso.domain, placeholder: 'example.com', maxLength: DOMAIN_CHARS_MAX, value: domain }}
          error={domainError}
          onChange={({ currentTarget }) => setDomain(currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={add.isPending}>
          {texts.sso.addDomain}
        </Button>
      </div>
      <ActionProblem error={domainError === undefined ? add.error : null} />
    </form>
  );
}
