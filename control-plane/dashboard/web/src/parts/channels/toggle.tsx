import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { apiPath } from '../../api/path.ts';
import type { Channel, One } from '../../api/types.ts';
import { ActionProblem } from '../../components/problem-note.tsx';
import { toast } from '../../components/toasts.tsx';
import { texts } from './texts/texts.ts';

/** Turns a channel off, and on again. */
export function Toggle({ channel }: { channel: Channel }) {
  const queries = useQueryClient();
  const turn = useMutation({
    mutationFn: (enabled: boolean) =>
      call<One<Channel> & { warnings?: string[] }>('PATCH', apiPath`/v1/channels/${channel.id}`, { enabled }),
    onSuccess({ data: changed, warnings = [] }, enabled) {
      queries.setQueryData(['channel', changed.id], changed);
      void queries.invalidateQueries({ queryKey: ['channels'] });
      const undo = () => turn.mutate(!enabled);
      const off = warnings.length === 0 ? texts.turnedOff : texts.turnedOffSilent;
      toast({ text: enabled ? texts.turnedOn(changed.name) : off(changed.name), undo });
    },
  });
  return (
    <>
      <Button variant="default" onClick={() => turn.mutate(!channel.enabled)} loading={turn.isPending}>
        {channel.enabled ? texts.turnOff : texts.turnOn}
      </Button>
      <ActionProblem error={turn.error} />
    </>
  );
}
