import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { isNotFound } from '../../api/client.ts';
import { apiPath } from '../../api/path.ts';
import type { Channel } from '../../api/types.ts';
import { mayManage, useAccount, useMayWrite } from '../../app/account.ts';
import { editOf, useForgotten } from '../../components/form/use-draft.ts';
import { FactList } from '../../components/page/fact-list.tsx';
import { Gone } from '../../components/page/gone.tsx';
import { PageHead } from '../../components/page/page-head.tsx';
import { UnreadPage } from '../../components/page/unread-page.tsx';
import { deliveryErrorText } from '../../texts/delivery-errors/delivery-error.ts';
import { DeleteChannel } from './delete-channel.tsx';
import { EditChannel } from './edit-channel.tsx';
import { CONFIG_FIELDS } from './form/fields.ts';
import { LastDelivery } from './last-delivery.tsx';
import { channelQuery } from './queries.ts';
import { RevokeLinks } from './revoke-links.tsx';
import { TestButton } from './test-button.tsx';
import { texts } from './texts/texts.ts';
import { Toggle } from './toggle.tsx';
import { Unconfirmed } from './unconfirmed.tsx';
import { workingOf } from './works.ts';
import './channels.css';

export function ChannelPage() {
  const { channelId: id = '' } = useParams({ strict: false }) as { channelId?: string };
  const { data: channel, error, refetch } = useQuery(channelQuery(id));
  const mayWrite = useMayWrite();
  const path = apiPath`/v1/channels/${id}`;
  useForgotten(mayWrite ? null : editOf(path));
  const isManager = mayManage(useAccount());
  if (channel === undefined) {
    const gone = <Gone text={texts.notFound} to="/settings/channels" label={texts.toList} edited={path} />;
    return <UnreadPage key={id} error={error} retry={() => void refetch()} gone={gone} />;
  }
  const type = texts.types[channel.type];
  const hasFailed = workingOf(channel) === 'failed';
  return (
    <>
      <PageHead
        title={channel.name}
        tone={channel.enabled && !hasFailed ? 'idle' : 'warning'}
        sentence={
          channel.enabled
            ? `${texts.isOn(type)}${hasFailed ? ` ${texts.hasFailed}` : ''}`
            : texts.isOff(
                type,
                channel.disabled_reason === null ? texts.unknownReason : deliveryErrorText(channel.disabled_reason),
              )
        }
        actions={
          mayWrite ? (
            <>
              <TestButton channel={channel} />
              <Toggle channel={channel} />
              <DeleteChannel channel={channel} />
            </>
          ) : undefined
        }
      />
      <div className="stack">
        <Unconfirmed channel={channel} />
        <section className="panel">
          <h2>{texts.lastTitle}</h2>
          <LastDelivery channel={channel} />
        </section>
        {mayWrite ? (
          <EditChannel key={channel.updated_at} channel={channel} isGone={isNotFound(error)} />
        ) : (
          <Facts channel={channel} />
        )}
        {isManager ? <RevokeLinks channel={channel} /> : null}
      </div>
    </>
  );
}

/** What a viewer sees; the API has masked what only others may know. */
function Facts({ channel: { type, config, delay_minutes: delay, repeat_minutes: repeat } }: { channel: Channel }) {
  const facts: [string, string][] = [
    [texts.type, texts.types[type]],
    ...CONFIG_FIELDS[type].map(({ name }): [string, string] => {
      const value = config[name];
      return [texts.config[type][name]?.label ?? name, Array.isArray(value) ? value.join(', ') : String(value ?? '–')];
    }),
    [texts.notified, texts.when(delay)],
    [texts.reminders, repeat === null ? texts.noReminders : texts.repeats(repeat)],
  ];
  return (
    <section className="panel">
      <FactList facts={facts} />
    </section>
  );
}
