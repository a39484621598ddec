import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { ServerJoinToken } from '../../../api/types.ts';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { Said } from '../../../components/said.tsx';
import { ServerMark } from '../marks.tsx';
import { newestQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';
import { joinedSince } from './commands.ts';

/** What a person got for one server so far, one after the other: also the earlier ones work. */
export interface Commands {
  now: ServerJoinToken;
  before: ServerJoinToken | null;
  first: ServerJoinToken;
}

interface WaitingProps {
  commands: Commands;
  /** Gets another command for the same server: this one has expired, or the addresses have changed. */
  renew(): void;
  /** What became of it. */
  renewal: { isPending: boolean; error: unknown };
  /** Begins again with another server. */
  another(): void;
  /** Leads to the list. */
  done(): void;
}

/** Waits for the agent, and turns green when its first sample is there. */
export function Waiting({ commands, renew, renewal, another, done }: WaitingProps) {
  const queries = useQueryClient();
  const joined = joinedSince(useQuery(newestQuery).data ?? [], commands.first);
  const words = texts.join;
  const isOnline = joined.some(({ status }) => status === 'online');
  useEffect(() => {
    if (isOnline) void queries.invalidateQueries({ queryKey: ['billing'] });
  }, [isOnline, queries]);
  return (
    <>
      <div role="status" className="join-step">
        {joined.length === 0 ? (
          <div className="note">
            <Renewed before={commands.before} />
            <p>{words.waiting}</p>
            <p className="soft wrap">{words.late(commands.now.agent_address)}</p>
            <div className="page-actions">
              <Button variant="default" onClick={renew} loading={renewal.isPending}>
                {words.again}
              </Button>
            </div>
          </div>
        ) : null}
        {joined.map(({ id, name, status }) => (
          <div key={id} className={`note ${status === 'online' ? 'good' : ''}`}>
            <p className="join-found">
              <ServerMark status={status} quiet />
              <bdi className="wrap">{status === 'online' ? words.online(name) : words.joined(name)}</bdi>
            </p>
            {status === 'online' ? (
              <p>
                <Link to={`/servers/${id}`}>
                  <bdi className="wrap">{words.open(name)}</bdi>
                </Link>
              </p>
            ) : null}
          </div>
        ))}
        {isOnline ? (
          <div className="page-actions">
            <Button variant="default" onClick={another}>
              {words.another}
            </Button>
            <Button variant="default" onClick={done}>
              {words.all}
            </Button>
          </div>
        ) : null}
      </div>
      {joined.length === 0 ? <ActionProblem error={renewal.error} /> : null}
    </>
  );
}

/** That the command is another one now, and what became of the one before. */
function Renewed({ before }: { before: ServerJoinToken | null }) {
  if (before === null) return null;
  const words = texts.join;
  const isValid = Date.parse(before.expires_at) > Date.now();
  return (
    <p>
      {words.renewed} {isValid ? <Said words={(time) => words.before(time(before.expires_at))} /> : null}
    </p>
  );
}
