import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../../api/client.ts';
import { apiPath } from '../../../api/path.ts';
import type { Monitor, One } from '../../../api/types.ts';
import { useMayWrite } from '../../../app/account.ts';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { toast } from '../../../components/toasts.tsx';
import { channelsQuery } from '../edit/channels-query.ts';
import { words } from '../monitor/texts/texts.ts';
import { namedChannels } from './named.ts';

/** Says that a monitor names channels that were deleted, and whether it still notifies anybody. */
export function DeletedChannels({ monitor }: { monitor: Monitor }) {
  const channels = useQuery({ ...channelsQuery, enabled: (monitor.channels?.length ?? 0) > 0 }).data;
  const mayWrite = useMayWrite();
  if (channels === undefined) return null;
  const { names, deleted } = namedChannels(monitor.channels, channels);
  if (deleted.length === 0) return null;
  return (
    <div className={`note ${names?.length === 0 ? 'bad' : ''}`}>
      <p>{words.channels.deleted(deleted.length, names ?? [])}</p>
      {mayWrite ? <Remove {...{ monitor, deleted }} /> : null}
    </div>
  );
}

/** Removing them changes nothing about who is notified, so there is no way back to offer. */
function Remove({ monitor: { id, name, channels }, deleted }: { monitor: Monitor; deleted: readonly string[] }) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: async () => {
      const left = channels?.filter((one) => !deleted.includes(one)) ?? null;
      return (await call<One<Monitor>>('PATCH', apiPath`/v1/monitors/${id}`, { channels: left })).data;
    },
    onSuccess(monitor) {
      queries.setQueryData(['monitor', id], monitor);
      toast({ text: words.channels.removed(name), undo: null });
    },
  });
  return (
    <>
      <div className="page-actions">
        <Button variant="default" onClick={() => remove.mutate()} loading={remove.isPending}>
          {words.channels.remove(deleted.length)}
        </Button>
        <Button variant="default" component={Link} to={`/monitors/${id}/edit`}>
          {words.channels.choose}
        </Button>
      </div>
      <ActionProblem error={remove.error} />
    </>
  );
}
