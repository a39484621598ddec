import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { apiPath } from '../../api/path.ts';
import type { Channel } from '../../api/types.ts';
import { DeleteButton } from '../../components/deletion/delete-button.tsx';
import { forgetEdit } from '../../components/form/use-draft.ts';
import { toast } from '../../components/toasts.tsx';
import { channelsQuery, notifyingMonitorsQuery, notifyingRulesQuery } from './queries.ts';
import { goingOnWithout, silentWithout } from './silent.ts';
import { texts } from './texts/texts.ts';

const NAMES_MAX = 10;

/** Asks first, and names what uses it: what would then notify nobody, and the others. Deleting it removes it from them. */
export function DeleteChannel({ channel }: { channel: Channel }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const path = apiPath`/v1/channels/${channel.id}`;
  return (
    <DeleteButton
      label={texts.delete}
      title={texts.deleteTitle(channel.name)}
      path={path}
      confirmLabel={<ConfirmLabel channel={channel} />}
      isUseShown={() => {
        const monitors = queries.getQueryData(notifyingMonitorsQuery.queryKey);
        const rules = queries.getQueryData(notifyingRulesQuery.queryKey);
        return isUsed(channel, monitors?.rows, rules?.rows);
      }}
      onDeleted={async () => {
        toast({ text: texts.deleted(channel.name), undo: null });
        await navigate({ to: '/settings/channels' });
        forgetEdit(queries, path);
        queries.removeQueries({ queryKey: ['channel', channel.id] });
        for (const queryKey of [['channels'], ['monitors'], ['alert-rules']])
          void queries.invalidateQueries({ queryKey });
      }}
    >
      <p>{texts.deleteText}</p>
      <Users channel={channel} />
    </DeleteButton>
  );
}

type Naming = readonly { channels: readonly string[] | null }[] | undefined;

/** Whether one of those that the dialog shows names the channel. */
function isUsed({ id }: Channel, monitors: Naming, rules: Naming): boolean {
  if (monitors === undefined || rules === undefined) return false;
  return [...monitors, ...rules].some(({ channels }) => channels?.includes(id) === true);
}

function ConfirmLabel({ channel }: { channel: Channel }) {
  const monitors = useQuery(notifyingMonitorsQuery).data;
  const rules = useQuery(notifyingRulesQuery).data;
  return isUsed(channel, monitors?.rows, rules?.rows) ? texts.deleteUsed : texts.delete;
}

/** Read when the dialog opens. */
function Users({ channel }: { channel: Channel }) {
  const channels = useQuery(channelsQuery).data;
  const monitors = useQuery(notifyingMonitorsQuery).data;
  const rules = useQuery(notifyingRulesQuery).data;
  if (channels === undefined || monitors === undefined || rules === undefined)
    return <p className="soft">{texts.checkingMonitors}</p>;
  const silent = silentWithout(channel, channels.rows, monitors.rows);
  const silentRules = silentWithout(channel, channels.rows, rules.rows);
  return (
    <>
      {silent.length === 0 ? <p>{texts.nobodySilent}</p> : <Names title={texts.silent(silent.length)} names={silent} />}
      <Names title={texts.silentRules(silentRules.length)} names={silentRules} />
      <Others channel={channel} channels={channels.rows} monitors={monitors.rows} rules={rules.rows} />
      {isUsed(channel, monitors.rows, rules.rows) ? <p>{texts.removedFrom}</p> : null}
      {monitors.isWhole ? null : <p className="soft">{texts.firstMonitors(monitors.rows.length)}</p>}
    </>
  );
}

interface OthersProps {
  channel: Channel;
  channels: readonly Channel[];
  monitors: Parameters<typeof goingOnWithout>[2];
  rules: Parameters<typeof goingOnWithout>[2];
}

function Others({ channel, channels, monitors, rules }: OthersProps) {
  const others = goingOnWithout(channel, channels, monitors);
  const otherRules = goingOnWithout(channel, channels, rules);
  return (
    <>
      <Names title={texts.goingOn(others.length)} names={others} />
      <Names title={texts.goingOnRules(otherRules.length)} names={otherRules} />
    </>
  );
}

function Names({ title, names }: { title: string; names: readonly string[] }) {
  if (names.length === 0) return null;
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
