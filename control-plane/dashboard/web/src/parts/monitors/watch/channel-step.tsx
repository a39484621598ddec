import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiProblem, call } from '../../../api/client.ts';
import { apiPath } from '../../../api/path.ts';
import { read } from '../../../api/read.ts';
import type { ChannelTest, CreatedChannel, One, Page } from '../../../api/types.ts';
import { useAccount } from '../../../app/account.ts';
import { CopyField } from '../../../components/form/copy-field.tsx';
import { ConfirmNote } from '../../../components/page/confirm-first.tsx';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { deliveryErrorText } from '../../../texts/delivery-errors/delivery-error.ts';
import {
  configOf,
  fieldProblems,
  fieldsOf,
  firstValues,
  QUICK_TYPES,
  type QuickType,
  type QuickValues,
} from './quick-channel.ts';
import { texts } from './texts.ts';

/** A channel and what became of the test through it. */
interface Tested {
  channel: CreatedChannel;
  outcome: ChannelTest;
}

/** The second step: where alerts go. Not shown when the workspace has a channel already. */
export function ChannelStep() {
  const { email_confirmed: isConfirmed } = useAccount();
  // Adding the channel must not take the step with its outcome away.
  const channels = useQuery({
    queryKey: ['channel-step'],
    queryFn: ({ signal }) => read<Page<unknown>>('/v1/channels', { limit: '1' }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (channels.data?.data.length !== 0) return null;
  return isConfirmed === false ? <Unconfirmed /> : <QuickChannel />;
}

function Unconfirmed() {
  return (
    <section className="panel watch">
      <h2>{texts.channel.title}</h2>
      <ConfirmNote />
    </section>
  );
}

function QuickChannel() {
  const { email, sends_email: sendsEmail } = useAccount();
  const queries = useQueryClient();
  const [type, setType] = useState<QuickType>(sendsEmail ? 'email' : 'webhook');
  const [values, setValues] = useState(() => firstValues(type, email));
  const [channel, setChannel] = useState<CreatedChannel | null>(null);
  const send = useMutation({
    meta: { saysItself: true },
    mutationFn: async (): Promise<Tested> => {
      const saved = await save(channel, type, values);
      setChannel(saved);
      const { data } = await call<One<ChannelTest>>('POST', apiPath`/v1/channels/${saved.id}/test`);
      return { channel: saved, outcome: data };
    },
    // The overview says whether somebody is alerted.
    onSettled: () => queries.invalidateQueries({ queryKey: ['channels'] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate();
  };
  const problems = send.error instanceof ApiProblem ? fieldProblems(send.error) : {};
  const isMarked = fieldsOf(type).some((field) => problems[field] !== undefined);
  const isSame = channel !== null && channel.type === type;
  return (
    <form className="panel watch" onSubmit={submit} noValidate>
      <h2>{texts.channel.title}</h2>
      <p>{texts.channel.lead}</p>
      <NativeSelect
        {...{ name: 'channel-type', label: texts.channel.type, value: type }}
        data={QUICK_TYPES.map((one) => ({
          value: one,
          label: one === 'email' && !sendsEmail ? texts.channel.noMail : texts.channel.types[one],
        }))}
        onChange={({ currentTarget }) => {
          const next = currentTarget.value as QuickType;
          setType(next);
          setValues(firstValues(next, email));
          send.reset();
        }}
      />
      {type === 'email' && !sendsEmail ? <p className="note bad">{texts.channel.noMailHelp}</p> : null}
      {fieldsOf(type).map((field) => (
        <TextInput
          {...{
            key: `${type} ${field}`,
            name: `channel-${field}`,
            label: texts.channel.fields[type][field],
            value: values[field] ?? '',
            error: problems[field] ?? null,
            maxLength: 2_048,
          }}
          {...{ autoComplete: 'off', spellCheck: false, type: field === 'to' ? 'email' : 'text' }}
          onChange={({ currentTarget: { value } }) => setValues({ ...values, [field]: value })}
        />
      ))}
      <div role="status">
        {send.isPending ? <p>{texts.channel.sending}</p> : null}
        {send.data === undefined || send.isPending ? null : <Outcome {...send.data} />}
      </div>
      {isMarked ? null : <ActionProblem error={send.error} />}
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
      <p className="soft">
        {texts.channel.later} <Link to="/settings/channels">{texts.channel.settings}</Link>
      </p>
    </form>
  );
}

function Outcome({ channel: { name }, outcome: { status, error, response_status: code, duration_ms: ms } }: Tested) {
  const why = error === null ? texts.channel.unknown : deliveryErrorText(error);
  if (status === 'sent') return <p className="note good">{texts.channel.sent(name, ms, code)}</p>;
  return (
    <p className="note bad">
      {status === 'failed' ? texts.channel.failed(name, why) : texts.channel.skipped(name, why)}
    </p>
  );
}

/** Creates the channel, or corrects the one that this step has created. */
async function save(channel: CreatedChannel | null, type: QuickType, values: QuickValues): Promise<CreatedChannel> {
  const config = configOf(type, values);
  if (channel !== null && channel.type === type) {
    const { data } = await call<One<CreatedChannel>>('PATCH', apiPath`/v1/channels/${channel.id}`, { config });
    // Only the answer to the creation has the secret.
    return { ...data, ...(channel.secret === undefined ? {} : { secret: channel.secret }) };
  }
  const body = { type, name: texts.channel.types[type], config };
  const { data } = await call<One<CreatedChannel>>('POST', '/v1/channels', body);
  if (channel !== null) await call('DELETE', apiPath`/v1/channels/${channel.id}`);
  return data;
}
