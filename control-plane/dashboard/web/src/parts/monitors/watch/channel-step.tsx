import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiProblem, call } from '../../../api/client.ts';
import { read } from '../../../api/read.ts';
import type { ChannelTest, CreatedChannel, One, Page } from '../../../api/types.ts';
import { useAccount } from '../../../app/account.ts';
import { CopyField } from '../../../components/form/copy-field.tsx';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { sentence } from '../../../texts/sentence.ts';
import { configOf, fieldProblem, QUICK_TYPES, type QuickType } from './quick-channel.ts';
import { texts } from './texts.ts';

/** A channel and what became of the test through it. */
interface Tested {
  channel: CreatedChannel;
  outcome: ChannelTest;
}

/** The second step: where alerts go. Not shown when the workspace has a channel already. */
export function ChannelStep() {
  // Adding the channel must not take the step with its outcome away.
  const channels = useQuery({
    queryKey: ['channel-step'],
    queryFn: ({ signal }) => read<Page<unknown>>('/v1/channels', { limit: '1' }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return channels.data?.data.length === 0 ? <QuickChannel /> : null;
}

function QuickChannel() {
  const { email } = useAccount();
  const [type, setType] = useState<QuickType>('email');
  const [value, setValue] = useState(email);
  const [channel, setChannel] = useState<CreatedChannel | null>(null);
  const send = useMutation({
    mutationFn: async (): Promise<Tested> => {
      const saved = await save(channel, type, value.trim());
      setChannel(saved);
      const { data } = await call<One<ChannelTest>>('POST', `/v1/channels/${saved.id}/test`);
      return { channel: saved, outcome: data };
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate();
  };
  const field = send.error instanceof ApiProblem ? fieldProblem(send.error) : undefined;
  const isSame = channel !== null && channel.type === type;
  return (
    <form className="panel watch" onSubmit={submit} noValidate>
      <h2>{texts.channel.title}</h2>
      <p>{texts.channel.lead}</p>
      <NativeSelect
        {...{ name: 'channel-type', label: texts.channel.type, value: type }}
        data={QUICK_TYPES.map((one) => ({ value: one, label: texts.channel.types[one] }))}
        onChange={({ currentTarget }) => {
          setType(currentTarget.value as QuickType);
          setValue(currentTarget.value === 'email' ? email : '');
          send.reset();
        }}
      />
      <TextInput
        {...{
          name: 'channel-value',
          label: texts.channel.fields[type],
          value,
          error: field === undefined ? null : sentence(field),
          maxLength: 2_048,
        }}
        {...{ autoComplete: 'off', spellCheck: false, type: type === 'email' ? 'email' : 'text' }}
        onChange={({ currentTarget }) => setValue(currentTarget.value)}
      />
      <div role="status">
        {send.isPending ? <p>{texts.channel.sending}</p> : null}
        {send.data === undefined || send.isPending ? null : <Outcome {...send.data} />}
      </div>
      {field === undefined ? <ActionProblem error={send.error} /> : null}
      {channel?.secret === undefined ? null : (
        <div>
          <p className="watch-label">{texts.channel.secret}</p>
          <CopyField label={texts.channel.secret} value={channel.secret} />
        </div>
      )}
      <div className="page-actions">
        <Button type="submit" variant={send.isSuccess ? 'default' : 'filled'} loading={send.isPending}>
          {!isSame
            ? texts.channel.create
            : send.data?.outcome.status === 'sent'
              ? texts.channel.again
              : texts.channel.save}
        </Button>
      </div>
      <p className="soft">{texts.channel.later}</p>
    </form>
  );
}

function Outcome({ channel: { name }, outcome: { status, error, response_status: code, duration_ms: ms } }: Tested) {
  const why = error ?? texts.channel.unknown;
  if (status === 'sent') return <p className="note good">{texts.channel.sent(name, ms, code)}</p>;
  return (
    <p className="note bad">
      {status === 'failed' ? texts.channel.failed(name, why) : texts.channel.skipped(name, why)}
    </p>
  );
}

/** Creates the channel, or corrects the one that this step has created. */
async function save(channel: CreatedChannel | null, type: QuickType, value: string): Promise<CreatedChannel> {
  const config = configOf(type, value);
  if (channel !== null && channel.type === type) {
    const { data } = await call<One<CreatedChannel>>('PATCH', `/v1/channels/${channel.id}`, { config });
    // Only the answer to the creation has the secret.
    return { ...data, ...(channel.secret === undefined ? {} : { secret: channel.secret }) };
  }
  const body = { type, name: texts.channel.types[type], config };
  const { data } = await call<One<CreatedChannel>>('POST', '/v1/channels', body);
  if (channel !== null) await call('DELETE', `/v1/channels/${channel.id}`);
  return data;
}
