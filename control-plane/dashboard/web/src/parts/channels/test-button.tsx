import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { apiPath } from '../../api/path.ts';
import type { Channel, ChannelTest, One } from '../../api/types.ts';
import { ActionProblem } from '../../components/problem-note.tsx';
import { deliveryErrorText, isUnconfirmed } from '../../texts/delivery-errors/delivery-error.ts';
import { adviceFor } from './advice.ts';
import { texts } from './texts/texts.ts';

/** Sends a test message, and says in words what became of it. */
export function TestButton({ channel }: { channel: Channel }) {
  const queries = useQueryClient();
  const test = useMutation({
    mutationFn: async () => (await call<One<ChannelTest>>('POST', apiPath`/v1/channels/${channel.id}/test`)).data,
    // The channel knows the result.
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['channels'] });
      void queries.invalidateQueries({ queryKey: ['channel', channel.id] });
    },
  });
  return (
    <>
      <Button variant="default" onClick={() => test.mutate()} loading={test.isPending}>
        {texts.sendTest}
        <span className="only-spoken"> {channel.name}</span>
      </Button>
      <ActionProblem error={test.error} />
      {test.data === undefined || test.isPending ? null : <Outcome channel={channel} test={test.data} />}
    </>
  );
}

function Outcome({ channel, test }: { channel: Channel; test: ChannelTest }) {
  const type = texts.types[channel.type];
  if (test.status === 'sent') {
    return (
      <p className="note good test-outcome" role="status">
        {texts.accepted(type, test.response_status, test.duration_ms)}
        {test.error === null ? '' : ` ${texts.butRefused(deliveryErrorText(test.error))}`}
      </p>
    );
  }
  const why = deliveryErrorText(test.error ?? '');
  return (
    <p className="note bad test-outcome" role="alert">
      {test.status === 'unconfirmed'
        ? texts.reachedNobody(why)
        : test.status === 'skipped'
          ? texts.skipped(why, isUnconfirmed(test.error))
          : `${texts.failed(type, why)} ${texts.advice[adviceFor(channel.type, test)]}`}
    </p>
  );
}
