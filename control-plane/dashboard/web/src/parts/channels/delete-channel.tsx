import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import type { Channel } from '../../api/types.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { toast } from '../../components/toasts.tsx';
import { channelsQuery, notifyingMonitorsQuery } from './queries.ts';
import { silentWithout } from './silent.ts';
import { texts } from './texts/texts.ts';

const NAMES_MAX = 10;

/** Asks first, and names the monitors that would then notify nobody. */
export function DeleteChannel({ channel }: { channel: Channel }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => call('DELETE', `/v1/channels/${channel.id}`),
    async onSuccess() {
      toast({ text: texts.deleted(channel.name), undo: null });
      await navigate({ to: '/settings/channels' });
      queries.removeQueries({ queryKey: ['channel', channel.id] });
      void queries.invalidateQueries({ queryKey: ['channels'] });
    },
  });
  return (
    <ConfirmButton label={texts.delete} title={texts.deleteTitle(channel.name)} action={remove}>
      <p>{texts.deleteText}</p>
      <Silent channel={channel} />
    </ConfirmButton>
  );
}

/** Read when the dialog opens. */
function Silent({ channel }: { channel: Channel }) {
  const channels = useQuery(channelsQuery).data;
  const monitors = useQuery(notifyingMonitorsQuery).data;
  if (channels === undefined || monitors === undefined) return <p className="soft">{texts.checkingMonitors}</p>;
  const names = silentWithout(channel, channels.rows, monitors.rows);
  const scope = monitors.isWhole ? null : <p className="soft">{texts.firstMonitors(monitors.rows.length)}</p>;
  if (names.length === 0) {
    return (
      <>
        <p>{texts.nobodySilent}</p>
        {scope}
      </>
    );
  }
  return (
    <>
      <p className="strong">{texts.silent(names.length)}</p>
      <ul className="bullets">
        {names.slice(0, NAMES_MAX).map((name, place) => (
          <li key={place} className="wrap">
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
      {names.length > NAMES_MAX ? <p>{texts.more(names.length - NAMES_MAX)}</p> : null}
      {scope}
    </>
  );
}
