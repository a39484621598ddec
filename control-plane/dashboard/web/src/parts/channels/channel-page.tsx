import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Channel } from '../../api/types.ts';
import { mayManage, useAccount, useMayWrite } from '../../app/account.ts';
import { PageHead } from '../../components/page-head.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { PageSkeleton } from '../../components/skeleton.tsx';
import { DeleteChannel } from './delete-channel.tsx';
import { EditChannel } from './edit-channel.tsx';
import { CONFIG_FIELDS } from './fields.ts';
import { channelQuery } from './queries.ts';
import { RevokeLinks } from './revoke-links.tsx';
import { TestButton } from './test-button.tsx';
import { texts } from './texts/texts.ts';
import { Toggle } from './toggle.tsx';
import './channels.css';

export function ChannelPage() {
  const { channelId: id = '' } = useParams({ strict: false }) as { channelId?: string };
  const { data: channel, error, refetch } = useQuery(channelQuery(id));
  const mayWrite = useMayWrite();
  const isManager = mayManage(useAccount());
  if (channel === undefined) {
    return error === null ? <PageSkeleton /> : <ProblemNote error={error} retry={() => void refetch()} />;
  }
  const type = texts.types[channel.type];
  return (
    <>
      <PageHead
        title={channel.name}
        tone={channel.enabled ? 'idle' : 'warning'}
        sentence={
          channel.enabled ? texts.isOn(type) : texts.isOff(type, channel.disabled_reason ?? texts.unknownReason)
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
        {mayWrite ? <EditChannel key={channel.updated_at} channel={channel} /> : <Facts channel={channel} />}
        {isManager ? <RevokeLinks channel={channel} /> : null}
      </div>
    </>
  );
}

/** What a viewer sees; the API has masked what only others may know. */
function Facts({ channel: { type, config, delay_minutes: delay, repeat_minutes: repeat } }: { channel: Channel }) {
  const facts = [
    [texts.type, texts.types[type]],
    ...CONFIG_FIELDS[type].map(({ name }) => {
      const value = config[name];
      return [texts.config[type][name]?.label ?? name, Array.isArray(value) ? value.join(', ') : String(value ?? '–')];
    }),
    [texts.notified, texts.when(delay)],
    [texts.reminders, repeat === null ? texts.noReminders : texts.repeats(repeat)],
  ];
  return (
    <section className="panel">
      <dl className="facts">
        {facts.map(([label, value]) => (
          <div key={label} className="fact">
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
