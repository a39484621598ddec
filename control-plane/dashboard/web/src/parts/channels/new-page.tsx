import { Button, NativeSelect } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import type { ChannelType, CreatedChannel, One } from '../../api/types.ts';
import { useAccount, useMayWrite } from '../../app/account.ts';
import { CopyField } from '../../components/form/copy-field.tsx';
import { FormPanel } from '../../components/form/form-panel.tsx';
import { useDraft, useForgotten } from '../../components/form/use-draft.ts';
import { ConfirmFirst } from '../../components/page/confirm-first.tsx';
import { NotAllowed } from '../../components/page/not-allowed.tsx';
import { PageHead } from '../../components/page/page-head.tsx';
import { ChannelFields } from './form/channel-form.tsx';
import { CHANNEL_TYPES } from './form/fields.ts';
import { type ChannelInput, createBody, emptyInput } from './form/input.ts';
import { TestButton } from './test-button.tsx';
import { texts } from './texts/texts.ts';
import './channels.css';

interface NewChannel {
  type: ChannelType;
  input: ChannelInput;
}

export function NewChannelPage() {
  const { sends_email: sendsEmail } = useAccount();
  const first = sendsEmail ? 'email' : 'webhook';
  const mayWrite = useMayWrite();
  const draft = useDraft<NewChannel>('channel');
  const [type, setType] = useState<ChannelType>(draft.entered?.type ?? first);
  const form = useForm<ChannelInput>({ initialValues: draft.entered?.input ?? emptyInput(first) });
  const { values: input } = form;
  const isEntered = JSON.stringify(input) !== JSON.stringify(emptyInput(type));
  useEffect(() => draft.keep({ type, input }, isEntered), [draft, type, input, isEntered]);
  useForgotten(mayWrite ? null : 'channel');
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: async () =>
      (await call<One<CreatedChannel>>('POST', '/v1/channels', createBody(type, form.values))).data,
    onSuccess() {
      draft.forget();
      return queries.invalidateQueries({ queryKey: ['channels'] });
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  const choose = (next: ChannelType) => {
    setType(next);
    // The name and the delays are kept; the settings of another type mean something else.
    form.setValues({ config: emptyInput(next).config, removed: [] });
    form.clearErrors();
    create.reset();
  };
  if (!mayWrite) return <NotAllowed title={texts.add} />;
  if (create.data !== undefined) return <Created channel={create.data} />;
  return (
    <>
      <PageHead title={texts.add} sentence={texts.addSentence} />
      <ConfirmFirst>
        <FormPanel
          {...{ label: texts.add, submit: texts.create, action: create, cancel: '/settings/channels' }}
          cancelled={draft.forget}
          onSubmit={() => create.mutate()}
        >
          <NativeSelect
            label={texts.type}
            value={type}
            onChange={({ currentTarget }) => choose(currentTarget.value as ChannelType)}
            data={CHANNEL_TYPES.map((value) => ({
              value,
              label: value === 'email' && !sendsEmail ? texts.noMail(texts.types.email) : texts.types[value],
            }))}
          />
          <p className="soft">
            {texts.typeHelp[type]}
            {type === 'webhook' ? ` ${texts.secretFollows}` : ''}
          </p>
          {type === 'email' && !sendsEmail ? <p className="note bad">{texts.noMailHelp}</p> : null}
          <ChannelFields form={form} type={type} stored={null} />
        </FormPanel>
      </ConfirmFirst>
    </>
  );
}

/** What follows: the secret of a webhook, which is shown only now, and a test. */
function Created({ channel }: { channel: CreatedChannel }) {
  return (
    <>
      <PageHead title={channel.name} sentence={texts.created} tone="up" />
      <section className="panel form-panel">
        {channel.secret === undefined ? null : (
          <>
            <h2>{texts.secretTitle}</h2>
            <p>{texts.secretHelp}</p>
            <CopyField label={texts.secretTitle} value={channel.secret} />
          </>
        )}
        <p>{texts.testHelp}</p>
        <div className="page-actions">
          <TestButton channel={channel} />
          <Button variant="default" component={Link} to="/settings/channels">
            {texts.toList}
          </Button>
        </div>
      </section>
    </>
  );
}
