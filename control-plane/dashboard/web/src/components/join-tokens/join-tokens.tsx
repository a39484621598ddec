import { infiniteQueryOptions, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { apiPath } from '../../api/path.ts';
import { read } from '../../api/read.ts';
import type { JoinTokenInList, Page } from '../../api/types.ts';
import { ConfirmButton } from '../confirm-button.tsx';
import { LoadProblem } from '../problem-note.tsx';
import { Time } from '../time/time.tsx';
import { toast } from '../toasts.tsx';
import { texts } from './texts/texts.ts';
import './join-tokens.css';
import { MoreButton } from '../more-button.tsx';

/** A token comes and goes without an event. */
const LIVE_MS = 20_000;
const ROWS = '50';

interface JoinTokensProps {
  path: '/v1/servers/join-tokens' | '/v1/admin/probes/join-tokens';
  /** Returns what the token is for, beside its maker: the city of a probe. */
  placeOf(token: JoinTokenInList): string | null;
}

const joinTokensQuery = (path: JoinTokensProps['path']) =>
  infiniteQueryOptions({
    queryKey: ['join-tokens', path],
    queryFn: ({ pageParam, signal }) => read<Page<JoinTokenInList>>(path, { limit: ROWS, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: LIVE_MS,
  });

/** The join tokens with which a server or a probe can join now. Nothing where there are none. */
export function JoinTokens({ path, placeOf }: JoinTokensProps) {
  const list = useInfiniteQuery(joinTokensQuery(path));
  const open = (list.data?.pages ?? []).flatMap(({ data }) => data).filter(({ status }) => status === 'open');
  if (open.length === 0 && !list.hasNextPage) return <LoadProblem error={list.error} />;
  return (
    <section className="panel">
      <h2>{texts.title}</h2>
      <p className="soft">{texts.text}</p>
      <ul className="rows" aria-label={texts.title}>
        {open.map((token) => (
          <Row key={token.id} token={token} path={path} place={placeOf(token)} />
        ))}
      </ul>
      <MoreButton list={list} label={texts.more} />
    </section>
  );
}

function Row({ token, path, place }: { token: JoinTokenInList; path: JoinTokensProps['path']; place: string | null }) {
  const { id, created_by: by } = token;
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => call('DELETE', `${path}${apiPath`/${id}`}`),
    onSuccess: () => toast({ text: texts.revoked, undo: null }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['join-tokens'] }),
  });
  return (
    <li className="join-token-row">
      <div className="row-main">
        <p className="wrap">
          {place === null ? null : (
            <>
              <bdi className="strong">{place}</bdi> ·{' '}
            </>
          )}
          {texts.by(by.id === null ? null : by.email)} <Time at={token.created_at} />
        </p>
        <p className="row-detail wrap">
          {texts.expires} <Time at={token.expires_at} /> · <span className="mono">{id}</span>
        </p>
      </div>
      <div className="page-actions">
        <ConfirmButton label={texts.revoke} title={texts.revokeTitle} action={revoke}>
          {texts.revokeText}
        </ConfirmButton>
      </div>
    </li>
  );
}
