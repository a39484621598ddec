import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { apiPath } from '../../api/path.ts';
import type { Channel, One } from '../../api/types.ts';
import { useAccount, useMayWrite } from '../../app/account.ts';
import { ActionProblem } from '../../components/problem-note.tsx';
import { texts } from './texts/texts.ts';

/** The addresses that get nothing, because nobody has confirmed there, each with a button that asks again. */
export function Unconfirmed({ channel }: { channel: Channel }) {
  const { sends_email: sendsEmail } = useAccount();
  const mayWrite = useMayWrite();
  if (channel.unconfirmed.length === 0) return null;
  return (
    <section className="panel">
      <h2>{texts.unconfirmed}</h2>
      <p>{sendsEmail ? texts.unconfirmedHelp : texts.noMailHelp}</p>
      <ul className="rows" aria-label={texts.unconfirmed}>
        {channel.unconfirmed.map((address) => (
          <li key={address} className="channel">
            <div className="row-main">
              <bdi className="wrap">{address}</bdi>
            </div>
            {mayWrite && sendsEmail ? <AskAgain channel={channel} address={address} /> : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

function AskAgain({ channel: { id }, address }: { channel: Channel; address: string }) {
  const queries = useQueryClient();
  const ask = useMutation({
    mutationFn: async () => (await call<One<Channel>>('POST', apiPath`/v1/channels/${id}/ask`, { address })).data,
    onSuccess(channel) {
      queries.setQueryData(['channel', id], channel);
    },
  });
  return (
    <>
      {ask.isSuccess ? (
        <p className="note good" role="status">
          {texts.asked}
        </p>
      ) : (
        <Button variant="default" onClick={() => ask.mutate()} loading={ask.isPending}>
          {texts.askAgain}
          <span className="only-spoken"> {address}</span>
        </Button>
      )}
      <ActionProblem error={ask.error} />
    </>
  );
}
