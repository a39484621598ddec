import { Button, Textarea } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { apiPath } from '../../../api/path.ts';
import { read } from '../../../api/read.ts';
import type { IncidentComment, Page } from '../../../api/types.ts';
import { useMayWrite } from '../../../app/account.ts';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { SecondTime } from '../../../components/time/time.tsx';
import { texts as app } from '../../../texts/app/texts.ts';
import { texts } from '../texts/texts.ts';

const TEXT_CHARS_MAX = 2_000;
/** As many as an incident can have. */
const COMMENTS_MAX = 200;
const REFRESH_MS = 60_000;

/** An event of the incident makes it read again, because its key begins with that of the incident. */
const commentsQuery = (id: string) =>
  queryOptions({
    queryKey: ['incident', id, 'comments'],
    queryFn: ({ signal }) =>
      read<Page<IncidentComment>>(apiPath`/v1/alerts/${id}/comments`, { limit: String(COMMENTS_MAX) }, signal),
    refetchInterval: REFRESH_MS,
  });

/** What people wrote about the incident, the newest first. */
export function Comments({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(commentsQuery(id));
  const mayWrite = useMayWrite();
  const comments = data?.data ?? [];
  return (
    <section className="panel">
      <h2>{texts.comments}</h2>
      {mayWrite ? <CommentForm id={id} /> : null}
      {data === undefined && error !== null ? (
        <div className="note bad comments-failed" role="alert">
          <p>{texts.commentsFailed}</p>
          <Button variant="default" onClick={() => void refetch()}>
            {app.problem.tryAgain}
          </Button>
        </div>
      ) : null}
      {data === undefined || comments.length > 0 ? null : <p className="soft">{texts.noComments}</p>}
      <ol className="rows" aria-label={texts.comments}>
        {comments.map(({ id: key, author, created_at, text }) => (
          <li key={key} className="comment">
            <p className="row-detail wrap">
              <bdi>{author}</bdi> · <SecondTime at={created_at} />
            </p>
            <p className="comment-text" dir="auto">
              {text}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function CommentForm({ id }: { id: string }) {
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const send = useMutation({
    mutationFn: () => call('POST', apiPath`/v1/alerts/${id}/comments`, { text }),
    // What was typed stays until it is stored.
    onSuccess: () => setText(''),
    onSettled: () => queries.invalidateQueries({ queryKey: ['incident', id] }),
  });
  return (
    <form
      className="stack comment-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '' && !send.isPending) send.mutate();
      }}
    >
      <Textarea
        {...{ label: texts.comment, value: text, maxLength: TEXT_CHARS_MAX, rows: 3, description: texts.commentHelp }}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <ActionProblem error={send.error} />
      <Button type="submit" variant="default" loading={send.isPending} disabled={text.trim() === ''}>
        {texts.sendComment}
      </Button>
    </form>
  );
}
