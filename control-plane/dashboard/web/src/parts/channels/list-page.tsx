import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Channel } from '../../api/types.ts';
import { useMayWrite } from '../../app/account.ts';
import { PageHead } from '../../components/page/page-head.tsx';
import { UnreadPage } from '../../components/page/unread-page.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { Time } from '../../components/time/time.tsx';
import { deliveryErrorText } from '../../texts/delivery-errors/delivery-error.ts';
import { LastDelivery } from './last-delivery.tsx';
import { channelsQuery } from './queries.ts';
import { TestButton } from './test-button.tsx';
import { texts } from './texts/texts.ts';
import { workingOf } from './works.ts';
import './channels.css';

/** All channels, those that are off first. */
export function ChannelsPage() {
  const { data, error, refetch } = useQuery(channelsQuery);
  const mayWrite = useMayWrite();
  if (data === undefined) {
    return <UnreadPage error={error} retry={() => void refetch()} />;
  }
  const channels = data.rows.toSorted((a, b) => Number(a.enabled) - Number(b.enabled));
  const off = channels.filter(({ enabled }) => !enabled).length;
  const failed = channels.filter((channel) => workingOf(channel) === 'failed').length;
  const isSilent = off === channels.length;
  const add = (
    <Button component={Link} to="/settings/channels/new">
      {texts.add}
    </Button>
  );
  return (
    <>
      <PageHead
        title={texts.title}
        tone={off + failed === 0 && !isSilent ? 'idle' : 'warning'}
        sentence={
          channels.length === 0
            ? texts.none
            : isSilent
              ? texts.allOff
              : `${texts.count(channels.length, off)}${failed === 0 ? '' : ` ${texts.failedCount(failed)}`}`
        }
        actions={mayWrite && channels.length > 0 ? add : undefined}
      />
      {channels.length === 0 ? (
        <section className="panel empty">
          <p>{mayWrite ? texts.empty : texts.emptyForViewer}</p>
          {mayWrite ? add : null}
        </section>
      ) : (
        <ul className="panel rows" aria-label={texts.title}>
          {channels.map((channel) => (
            <ChannelRow key={channel.id} channel={channel} mayWrite={mayWrite} />
          ))}
        </ul>
      )}
    </>
  );
}

/** Only what has worked, or was not tried yet, looks well. */
const MARKS = { works: 'up', unknown: 'up', failed: 'warning', off: 'paused' } as const;

function ChannelRow({ channel, mayWrite }: { channel: Channel; mayWrite: boolean }) {
  const { name, type, enabled, disabled_at: since, disabled_reason: reason } = channel;
  const working = workingOf(channel);
  return (
    <li className="channel">
      <Mark
        as={MARKS[working]}
        word={working === 'failed' ? texts.fails : enabled ? texts.on : texts.off}
        quiet={false}
      />
      <div className="row-main">
        <Link to={`/settings/channels/${channel.id}`} className="two-lines strong">
          <bdi>{name}</bdi>
        </Link>
        <span className="row-detail wrap">
          {texts.types[type]} · {texts.when(channel.delay_minutes)}
          {channel.repeat_minutes === null ? '' : ` · ${texts.repeats(channel.repeat_minutes)}`}
        </span>
        <LastDelivery channel={channel} />
        {enabled ? null : (
          <span className="row-detail wrap">
            {since === null ? null : (
              <>
                {texts.offSince} <Time at={since} />
              </>
            )}
            {reason === null ? '' : `: ${deliveryErrorText(reason)}`}
          </span>
        )}
      </div>
      {mayWrite ? <TestButton channel={channel} /> : null}
    </li>
  );
}
