import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { apiPath } from '../../../api/path.ts';
import type { StatusPage, StatusPageSubscriber } from '../../../api/types.ts';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { LoadProblem } from '../../../components/problem-note.tsx';
import { Time } from '../../../components/time/time.tsx';
import { subscribersQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';

const ROWS_SHOWN = 10;

/** Who gets the updates of a page, the newest first. */
export function SubscribersPanel({ page, mayWrite }: { page: StatusPage; mayWrite: boolean }) {
  const { data, error } = useQuery(subscribersQuery(page.id));
  const words = texts.subscribers;
  const rows = data?.rows ?? [];
  const count = rows.filter(({ state }) => state === 'confirmed').length;
  return (
    <section className="panel" aria-labelledby="page-subscribers">
      <h2 id="page-subscribers">{words.title}</h2>
      {data === undefined ? (
        <LoadProblem error={error} />
      ) : (
        <p>{rows.length === 0 ? words.none : words.count(count, data.isWhole)}</p>
      )}
      <Rows pageId={page.id} rows={rows.slice(0, ROWS_SHOWN)} mayWrite={mayWrite} />
      {rows.length > ROWS_SHOWN ? (
        <details>
          <summary>{words.older}</summary>
          <Rows pageId={page.id} rows={rows.slice(ROWS_SHOWN)} mayWrite={mayWrite} />
        </details>
      ) : null}
    </section>
  );
}

interface RowsProps {
  pageId: string;
  rows: readonly StatusPageSubscriber[];
  mayWrite: boolean;
}

function Rows({ pageId, rows, mayWrite }: RowsProps) {
  const words = texts.subscribers;
  if (rows.length === 0) return null;
  return (
    <ul className="rows">
      {rows.map((subscriber) => (
        <li key={subscriber.id} className="row">
          <div className="row-main">
            <p className="wrap">
              <bdi>{receiverOf(subscriber)}</bdi>
            </p>
            <p className="row-detail wrap">
              {subscriber.type === 'webhook' ? `${words.webhook} · ` : null}
              {subscriber.confirmed_at === null ? (
                words.unconfirmed
              ) : (
                <>
                  {words.since} <Time at={subscriber.confirmed_at} />
                </>
              )}
            </p>
          </div>
          {mayWrite ? <RemoveSubscriber pageId={pageId} subscriber={subscriber} /> : null}
        </li>
      ))}
    </ul>
  );
}

const receiverOf = ({ address, url, id }: StatusPageSubscriber): string => address ?? url ?? id;

function RemoveSubscriber({ pageId, subscriber }: { pageId: string; subscriber: StatusPageSubscriber }) {
  const queries = useQueryClient();
  const words = texts.subscribers;
  const remove = useMutation({
    mutationFn: () => call('DELETE', apiPath`/v1/status-pages/${pageId}/subscribers/${subscriber.id}`),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['status-page-subscribers', pageId] }),
  });
  return (
    <ConfirmButton label={words.remove} title={words.removeTitle(receiverOf(subscriber))} action={remove}>
      <p>{words.removeHelp}</p>
    </ConfirmButton>
  );
}
