import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldErrors } from '../../api/field-errors.ts';
import type { CreatedApiKey, One } from '../../api/types.ts';
import { mayManage, useAccount } from '../../app/account.ts';
import { confirmedCall } from '../../components/confirm-identity/confirmed-call.ts';
import { FormPanel } from '../../components/form/form-panel.tsx';
import { ConfirmFirst } from '../../components/page/confirm-first.tsx';
import { NotAllowed } from '../../components/page/not-allowed.tsx';
import { PageHead } from '../../components/page/page-head.tsx';
import { EXPIRIES, type Expiry, expiresAt } from './expiry.ts';
import { MadeKey } from './made-key.tsx';
import { ScopeChoice } from './scope-choice.tsx';
import type { Scope } from './scopes.ts';
import { texts } from './texts/texts.ts';
import './api-keys.css';

const NAME_CHARS_MAX = 200;

export function NewApiKeyPage() {
  const account = useAccount();
  const [name, setName] = useState('');
  const [expiry, setExpiry] = useState<Expiry>('365');
  const [date, setDate] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['*']);
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: async () => {
      // Without a day the request has a value that the API refuses, so that it says what is wrong in one place.
      const expires_at = expiresAt(expiry, date, Date.now()) ?? (expiry === 'never' ? null : date);
      const body = { name: name.trim(), scopes, expires_at };
      return (await confirmedCall<One<CreatedApiKey>>('POST', '/v1/api-keys', body)).data;
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['api-keys'] }),
  });
  if (!mayManage(account)) return <NotAllowed title={texts.add} />;
  const errors = fieldErrors(create.error);
  if (create.data !== undefined) {
    return (
      <>
        <PageHead title={texts.title} sentence={texts.createdSentence} tone="up" />
        <MadeKey made={create.data}>
          <Button variant="default" component={Link} to="/settings/api-keys">
            {texts.stored}
          </Button>
        </MadeKey>
      </>
    );
  }
  return (
    <>
      <PageHead title={texts.add} sentence={texts.addSentence} />
      <ConfirmFirst>
        <FormPanel
          {...{ label: texts.add, submit: texts.create, action: create, cancel: '/settings/api-keys' }}
          onSubmit={() => create.mutate()}
        >
          <TextInput
            {...{ label: texts.name, description: texts.nameHelp, value: name, error: errors['name'] }}
            maxLength={NAME_CHARS_MAX}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <div className="form-row">
            <NativeSelect
              label={texts.expiry}
              value={expiry}
              onChange={({ currentTarget }) => setExpiry(currentTarget.value as Expiry)}
              data={EXPIRIES.map((value) => ({ value, label: texts.expiries[value] }))}
            />
            {expiry === 'date' ? (
              <TextInput
                {...{ type: 'date', label: texts.date, value: date, error: errors['expires_at'] }}
                onChange={({ currentTarget }) => setDate(currentTarget.value)}
              />
            ) : null}
          </div>
          <ScopeChoice scopes={scopes} change={setScopes} isLimited={!account.features.scoped_keys} />
        </FormPanel>
      </ConfirmFirst>
    </>
  );
}
