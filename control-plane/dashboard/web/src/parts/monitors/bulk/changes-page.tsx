import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiProblem } from '../../../api/client.ts';
import type { BulkChange } from '../../../api/types.ts';
import { useMayWrite } from '../../../app/account.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { PageHead } from '../../../components/page-head.tsx';
import { ActionProblem, ProblemNote } from '../../../components/problem-note.tsx';
import { PageSkeleton } from '../../../components/skeleton.tsx';
import { Time } from '../../../components/time.tsx';
import { shortTime } from '../../../texts/format.ts';
import { fieldWord, valueWords } from './change-words.ts';
import { follow } from './follow.ts';
import { changesQuery, isRunning, undoBulk } from './queries.ts';
import { texts } from './texts/texts.ts';
import './bulk.css';

/** The bulk changes of the last 30 days, each with its way back. */
export function ChangesPage() {
  const changes = useInfiniteQuery(changesQuery);
  if (changes.data === undefined) {
    return changes.isError ? (
      <ProblemNote error={changes.error} retry={() => void changes.refetch()} />
    ) : (
      <PageSkeleton />
    );
  }
  const rows = changes.data.pages.flatMap(({ data }) => data);
  return (
    <>
      <PageHead title={texts.list.title} sentence={rows.length === 0 ? undefined : texts.list.lead} />
      {rows.length === 0 ? (
        <section className="panel empty">
          <p>{texts.list.empty}</p>
          <Button component={Link} to="/monitors">
            {texts.list.toMonitors}
          </Button>
        </section>
      ) : (
        <section className="panel">
          <ul className="rows">
            {rows.map((change) => (
              <li key={change.id}>
                <Change change={change} />
              </li>
            ))}
          </ul>
          {changes.hasNextPage ? (
            <Button variant="default" onClick={() => changes.fetchNextPage()} loading={changes.isFetchingNextPage}>
              {texts.list.more}
            </Button>
          ) : null}
        </section>
      )}
    </>
  );
}

function Change({ change }: { change: BulkChange }) {
  const mayWrite = useMayWrite();
  const { operation, total, skipped, kept, groups, requested_by: by, requested_at: at } = change;
  const details = [
    ...groups
      .slice(0, 3)
      .map(({ field, from, to, monitors }) =>
        operation === 'add'
          ? texts.preview.groupNew(fieldWord(field), valueWords(field, to), monitors)
          : texts.preview.group(fieldWord(field), valueWords(field, from), valueWords(field, to), monitors),
      ),
    ...(skipped === 0 ? [] : [texts.list.skipped(skipped)]),
    ...(kept === 0 ? [] : [texts.list.kept(kept)]),
  ];
  return (
    <div className="bulk-change">
      <div className="row-main">
        <p className="strong">{texts.progress.done[operation](total - skipped)}</p>
        {details.map((detail) => (
          <p key={detail} className="row-detail wrap">
            {detail}
          </p>
        ))}
        <p className="row-detail wrap">
          <Time at={at} /> {texts.list.by(by)} · {stateWords(change)}
        </p>
        {isRunning(change) ? (
          <progress
            className="bulk-progress"
            value={change.done}
            max={Math.max(1, total)}
            aria-label={texts.titles[operation]}
          />
        ) : null}
      </div>
      {mayWrite && change.undo_until !== null ? <UndoButton change={change} /> : null}
    </div>
  );
}

function stateWords(change: BulkChange): string {
  const { state, done, total, undo_until: until, undone_by: undoneBy } = change;
  if (state === 'applying') return texts.list.applying(done, total);
  if (state === 'undoing') return texts.list.undoing(done, total);
  if (state === 'undone') return texts.list.undoneBy(undoneBy ?? '');
  return until === null ? texts.list.over : texts.list.until(shortTime(until, Date.now()));
}

/** Undoes at once. Only when somebody has changed monitors since, it asks what becomes of those changes. */
function UndoButton({ change }: { change: BulkChange }) {
  const queries = useQueryClient();
  const [conflict, setConflict] = useState<string | null>(null);
  const undo = useMutation({
    mutationFn: (onConflict: 'refuse' | 'skip' | 'overwrite') => undoBulk(change.id, onConflict),
    onSuccess(started) {
      setConflict(null);
      void queries.invalidateQueries({ queryKey: ['monitor-bulks'] });
      void follow(queries, started);
    },
    onError(error) {
      if (error instanceof ApiProblem && Object.keys(error.fields).length > 0) setConflict(error.message);
    },
  });
  return (
    <>
      <Button variant="default" onClick={() => undo.mutate('refuse')} loading={undo.isPending}>
        {texts.list.undo}
      </Button>
      {conflict === null ? <ActionProblem error={undo.error} /> : null}
      <Dialog title={texts.list.conflict} isOpen={conflict !== null} close={() => setConflict(null)}>
        <p className="wrap">{conflict}</p>
        <div className="page-actions">
          <Button onClick={() => undo.mutate('skip')} loading={undo.isPending}>
            {texts.list.skip}
          </Button>
          <Button color="red" onClick={() => undo.mutate('overwrite')} loading={undo.isPending}>
            {texts.list.overwrite}
          </Button>
          <Button variant="default" onClick={() => setConflict(null)}>
            {texts.progress.close}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
