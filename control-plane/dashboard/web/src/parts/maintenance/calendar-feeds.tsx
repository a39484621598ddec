import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { apiPath } from '../../api/path.ts';
import type { CreatedMaintenanceFeed, MaintenanceFeed, One } from '../../api/types.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { CopyField } from '../../components/form/copy-field.tsx';
import { ActionProblem } from '../../components/problem-note.tsx';
import { toast } from '../../components/toasts.tsx';
import { feedsQuery } from './queries.ts';
import { texts } from './texts/texts.ts';

const NAME_CHARS_MAX = 80;

/** The addresses at which calendar programs read the maintenance; each is shown when it is created, and never again. */
export function CalendarFeeds() {
  const feeds = useQuery(feedsQuery).data ?? [];
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const create = useMutation({
    mutationFn: async () =>
      (await call<One<CreatedMaintenanceFeed>>('POST', '/v1/maintenance-feeds', { name: name.trim() })).data,
    onSuccess() {
      setName('');
      void queries.invalidateQueries({ queryKey: ['maintenance-feeds'] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  const error = fieldErrors(create.error)['name'];
  return (
    <section className="panel form-panel" aria-labelledby="maintenance-calendar">
      <h2 id="maintenance-calendar">{texts.calendar}</h2>
      <p className="note">{texts.calendarHelp}</p>
      {create.data === undefined ? null : (
        <div className="note stack" role="status">
          <CopyField label={texts.feedUrl(create.data.name)} value={create.data.url} />
          <p>{texts.feedShownOnce}</p>
        </div>
      )}
      {feeds.length === 0 ? null : (
        <ul className="rows">
          {feeds.map((feed) => (
            <li key={feed.id} className="maintenance-window">
              <div className="row-main">
                <bdi>{feed.name}</bdi>
                <span className="row-detail wrap">{texts.feedBy(feed.created_by)}</span>
              </div>
              <RevokeFeed feed={feed} />
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={submit} noValidate>
        <TextInput
          {...{ label: texts.feedName, description: texts.feedNameHelp, value: name, error }}
          maxLength={NAME_CHARS_MAX}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        {error === undefined ? <ActionProblem error={create.error} /> : null}
        <div className="page-actions">
          <Button type="submit" variant="default" loading={create.isPending}>
            {texts.createFeed}
          </Button>
        </div>
      </form>
    </section>
  );
}

function RevokeFeed({ feed }: { feed: MaintenanceFeed }) {
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => call('DELETE', apiPath`/v1/maintenance-feeds/${feed.id}`),
    onSuccess() {
      toast({ text: texts.feedRevoked(feed.name), undo: null });
      void queries.invalidateQueries({ queryKey: ['maintenance-feeds'] });
    },
  });
  return (
    <ConfirmButton label={texts.revokeFeed} title={texts.revokeFeedTitle(feed.name)} action={revoke}>
      <p>{texts.revokeFeedHelp}</p>
    </ConfirmButton>
  );
}
