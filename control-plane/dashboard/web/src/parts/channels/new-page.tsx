import { Button, NativeSelect } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import type { ChannelType, CreatedChannel, One } from '../../api/types.ts';
import { CopyField } from '../../components/form/copy-field.tsx';
import { FormPanel } from '../../components/form/form-panel.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ChannelFields } from './channel-form.tsx';
import { CHANNEL_TYPES } from './fields.ts';
import { type ChannelInput, createBody, emptyInput } from './input.ts';
import { TestButton } from './test-button.tsx';
import { texts } from './texts/texts.ts';
import './channels.css';

export function NewChannelPage() {
  const [type, setType] = useState<ChannelType>('email');
  const form = useForm<ChannelInput>({ initialValues: emptyInput('email') });
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: async () =>
      (await call<One<CreatedChannel>>('POST', '/v1/channels', createBody(type, form.values))).data,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['channels'] }),
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  const choose = (next: ChannelType) => {
    setType(next);
    // The name and the delays are kept; the settings of another type mean something else.
    form.setValues({ config: emptyInput(next).config, removed: [] });
    form.clearErrors();
    create.reset();
  };
  if (create.data !== undefined) return <Created channel={create.data} />;
  return (
    <>
      <PageHead title={texts.add} sentence={texts.addSentence} />
      <FormPanel
        {...{ label: texts.add, submit: texts.create, action: create, cancel: '/settings/channels' }}
        onSubmit={() => create.mutate()}
      >
        <NativeSelect
          label={texts.type}
          value={type}
          onChange={({ currentTarget }) => choose(currentTarget.value as ChannelType)}
          data={CHANNEL_TYPES.map((value) => ({ value, label: texts.types[value] }))}
        />
        <p className="soft">
          {texts.typeHelp[type]}
          {type === 'webhook' ? ` ${texts.secretFollows}` : ''}
        </p>
        <ChannelFields form={form} type={type} stored={null} />
      </FormPanel>
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
