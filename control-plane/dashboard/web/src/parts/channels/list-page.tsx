import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Channel } from '../../api/types.ts';
import { useMayWrite } from '../../app/account.ts';
import { PageHead } from '../../components/page-head.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { PageSkeleton } from '../../components/skeleton.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { Time } from '../../components/time.tsx';
import { channelsQuery } from './queries.ts';
import { TestButton } from './test-button.tsx';
import { texts } from './texts/texts.ts';
import './channels.css';

/** All channels, those that are off first. */
export function ChannelsPage() {
  const { data, error, refetch } = useQuery(channelsQuery);
  const mayWrite = useMayWrite();
  if (data === undefined) {
    return error === null ? <PageSkeleton /> : <ProblemNote error={error} retry={() => void refetch()} />;
  }
  const channels = data.rows.toSorted((a, b) => Number(a.enabled) - Number(b.enabled));
  const off = channels.filter(({ enabled }) => !enabled).length;
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
        tone={off === 0 && !isSilent ? 'idle' : 'warning'}
        sentence={channels.length === 0 ? texts.none : isSilent ? texts.allOff : texts.count(channels.length, off)}
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

function ChannelRow({ channel, mayWrite }: { channel: Channel; mayWrite: boolean }) {
  const { name, type, enabled, disabled_at: since, disabled_reason: reason } = channel;
  return (
    <li className="channel">
      <Mark as={enabled ? 'up' : 'paused'} word={enabled ? texts.on : texts.off} quiet={false} />
      <div className="row-main">
        <Link to={`/settings/channels/${channel.id}`} className="two-lines strong">
          <bdi>{name}</bdi>
        </Link>
        <span className="row-detail wrap">
          {texts.types[type]} · {texts.when(channel.delay_minutes)}
          {channel.repeat_minutes === null ? '' : ` · ${texts.repeats(channel.repeat_minutes)}`}
        </span>
        {enabled ? null : (
          <span className="row-detail wrap">
            {since === null ? null : (
              <>
                {texts.offSince} <Time at={since} />
              </>
            )}
            {reason === null ? '' : `: ${reason}`}
          </span>
        )}
      </div>
      {mayWrite ? <TestButton channel={channel} /> : null}
    </li>
  );
}
