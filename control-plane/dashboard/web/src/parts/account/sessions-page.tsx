import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { apiPath } from '../../api/path.ts';
import { ownWorkspacesQuery } from '../../api/queries.ts';
import type { Session } from '../../api/types.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { PageHead } from '../../components/page/page-head.tsx';
import { UnreadPage } from '../../components/page/unread-page.tsx';
import { ActionProblem } from '../../components/problem-note.tsx';
import { Since, Time } from '../../components/time/time.tsx';
import { toast } from '../../components/toasts.tsx';
import { deviceText } from '../../texts/device.ts';
import { sessionsQuery } from './queries.ts';
import { texts } from './texts/texts.ts';
import './account.css';

const words = texts.sessions;

/** Where the person is logged in. */
export function SessionsPage() {
  const { data: sessions, error, refetch } = useQuery(sessionsQuery);
  const queries = useQueryClient();
  const endOthers = useMutation({
    mutationFn: () => call('DELETE', '/v1/auth/sessions'),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['sessions'] });
      toast({ text: words.allEnded, undo: null });
    },
  });
  if (sessions === undefined) {
    return <UnreadPage error={error} retry={() => void refetch()} />;
  }
  const others = sessions.filter(({ current }) => !current);
  const inOrder = [...sessions.filter(({ current }) => current), ...others];
  return (
    <>
      <PageHead
        title={words.title}
        sentence={words.sentence(sessions.length)}
        actions={
          others.length === 0 ? undefined : (
            <ConfirmButton label={words.endOthers} title={words.endOthersTitle(others.length)} action={endOthers}>
              {words.endOthersText}
            </ConfirmButton>
          )
        }
      />
      <section className="panel">
        <ul className="rows" aria-label={words.title}>
          {inOrder.map((session) => (
            <li key={session.id} className="account-row">
              <SessionRow session={session} />
            </li>
          ))}
        </ul>
      </section>
      <p className="soft account-hint">{words.unknown}</p>
    </>
  );
}

function SessionRow({ session }: { session: Session }) {
  const { id, current, ip, method, second_factor: isSecond, user_agent: userAgent } = session;
  const device = deviceText(session.device);
  const workspaces = useQuery(ownWorkspacesQuery).data ?? [];
  const workspace = workspaces.length < 2 ? undefined : workspaces.find((one) => one.id === session.workspace_id)?.name;
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: () => call('DELETE', apiPath`/v1/auth/sessions/${id}`),
    async onSettled(_answer, problem) {
      await queries.invalidateQueries({ queryKey: ['sessions'] });
      if (problem === null) toast({ text: words.ended(device), undo: null });
    },
  });
  return (
    <>
      <div className="row-main">
        <p>
          <span className="strong" title={userAgent ?? undefined}>
            {device}
          </span>
          {current ? <span className="account-badge">{words.current}</span> : null}
        </p>
        <p className="row-detail">
          {words.how[method]}
          {isSecond ? words.withSecondFactor : ''} · <Time at={session.created_at} /> · {ip ?? words.noAddress}
          {workspace === undefined ? null : (
            <>
              {' · '}
              <bdi className="wrap">{workspace}</bdi>
            </>
          )}
        </p>
        <p className="row-detail">
          {current ? words.usedNow : <Since at={session.last_used_at} wrap={words.used} />} · {words.expires}{' '}
          <Time at={session.expires_at} />
        </p>
        <ActionProblem error={end.error} />
      </div>
      {current ? null : (
        <Button variant="default" aria-label={words.endOf(device)} loading={end.isPending} onClick={() => end.mutate()}>
          {words.end}
        </Button>
      )}
    </>
  );
}
