import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { apiPath } from '../../api/path.ts';
import type { Channel } from '../../api/types.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { forgetEdit } from '../../components/form/use-draft.ts';
import { toast } from '../../components/toasts.tsx';
import { channelsQuery, notifyingMonitorsQuery } from './queries.ts';
import { goingOnWithout, silentWithout } from './silent.ts';
import { texts } from './texts/texts.ts';

const NAMES_MAX = 10;

/** Asks first, and names the monitors that use it: those that would then notify nobody, and the others. */
export function DeleteChannel({ channel }: { channel: Channel }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const path = apiPath`/v1/channels/${channel.id}`;
  const remove = useMutation({
    mutationFn: () => call('DELETE', path),
    async onSuccess() {
      toast({ text: texts.deleted(channel.name), undo: null });
      await navigate({ to: '/settings/channels' });
      forgetEdit(queries, path);
      queries.removeQueries({ queryKey: ['channel', channel.id] });
      void queries.invalidateQueries({ queryKey: ['channels'] });
    },
  });
  return (
    <ConfirmButton label={texts.delete} title={texts.deleteTitle(channel.name)} action={remove}>
      <p>{texts.deleteText}</p>
      <Users channel={channel} />
    </ConfirmButton>
  );
}

/** Read when the dialog opens. */
function Users({ channel }: { channel: Channel }) {
  const channels = useQuery(channelsQuery).data;
  const monitors = useQuery(notifyingMonitorsQuery).data;
  if (channels === undefined || monitors === undefined) return <p className="soft">{texts.checkingMonitors}</p>;
  const silent = silentWithout(channel, channels.rows, monitors.rows);
  const others = goingOnWithout(channel, channels.rows, monitors.rows);
  return (
    <>
      {silent.length === 0 ? <p>{texts.nobodySilent}</p> : <Names title={texts.silent(silent.length)} names={silent} />}
      {others.length === 0 ? null : <Names title={texts.goingOn(others.length)} names={others} />}
      {monitors.isWhole ? null : <p className="soft">{texts.firstMonitors(monitors.rows.length)}</p>}
    </>
  );
}

function Names({ title, names }: { title: string; names: readonly string[] }) {
  return (
    <>
      <p className="strong">{title}</p>
      <ul className="bullets">
        {names.slice(0, NAMES_MAX).map((name, place) => (
          <li key={place} className="wrap">
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
      {names.length > NAMES_MAX ? <p>{texts.more(names.length - NAMES_MAX)}</p> : null}
    </>
  );
}
