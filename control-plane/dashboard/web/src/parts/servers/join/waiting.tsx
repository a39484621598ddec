import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { ServerJoinToken } from '../../../api/types.ts';
import { ServerMark } from '../marks.tsx';
import { newestQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';
import { joinedSince } from './commands.ts';

interface WaitingProps {
  token: ServerJoinToken;
  /** Begins again with another command. */
  another(): void;
  /** Leads to the list. */
  done(): void;
}

/** Waits for the agent, and turns green when its first sample is there. */
export function Waiting({ token, another, done }: WaitingProps) {
  const queries = useQueryClient();
  const joined = joinedSince(useQuery(newestQuery).data ?? [], token);
  const words = texts.join;
  const isOnline = joined.some(({ status }) => status === 'online');
  useEffect(() => {
    if (isOnline) void queries.invalidateQueries({ queryKey: ['billing'] });
  }, [isOnline, queries]);
  return (
    <div role="status" className="join-step">
      {joined.length === 0 ? (
        <div className="note">
          <p>{words.waiting}</p>
          <p className="soft">{words.late}</p>
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
  );
}
