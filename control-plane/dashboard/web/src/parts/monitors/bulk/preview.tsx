import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiProblem } from '../../../api/client.ts';
import type { BulkChange, BulkPreview, BulkRequest } from '../../../api/types.ts';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { texts as app } from '../../../texts/app/texts.ts';
import { AlertsSentence } from './alerts-sentence.tsx';
import { Difference } from './difference.tsx';
import { follow } from './job/follow.ts';
import { applyBulk, previewOf } from './job/queries.ts';
import { useTurn } from './job/use-turn.ts';
import { Waiting } from './job/waiting.tsx';
import { OnlyOthers } from './only-others.tsx';
import { texts } from './texts/texts.ts';

interface PreviewProps {
  request: BulkRequest;
  /** null: there is nothing to go back to. */
  back: (() => void) | null;
  /** null: the request cannot become another one here. */
  change: ((request: BulkRequest) => void) | null;
  close(): void;
  /** Called when the change is being applied. */
  begun(change: BulkChange): void;
}

/** What a change would do, exactly, and the button that applies it. */
export function Preview({ request, back, change, close, begun }: PreviewProps) {
  const queries = useQueryClient();
  const preview = useInfiniteQuery({
    queryKey: ['monitor-bulk-preview', request],
    queryFn: ({ pageParam, signal }) => previewOf(request, pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: (page: BulkPreview) => page.next_offset,
    // What was shown is applied, so nothing may change it behind the reader's back.
    ...{ staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnWindowFocus: false, retry: false },
  });
  const turn = useTurn();
  const apply = useMutation({
    mutationFn: (fingerprint: string) => turn.take(() => applyBulk(request, fingerprint)),
    onSuccess(started) {
      void follow(queries, started);
      begun(started);
    },
  });
  const [first] = preview.data?.pages ?? [];
  const isWorking = first === undefined && !preview.isError;
  const again = () => {
    apply.reset();
    void preview.refetch();
  };
  const hasChanged = apply.error instanceof ApiProblem && apply.error.status === 412;
  const canApply = first !== undefined && first.changed > 0 && first.refused === 0;
  return (
    <div className="stack">
      <p role="status" className={isWorking ? '' : 'only-spoken'}>
        {isWorking ? texts.preview.working : ''}
      </p>
      {first === undefined ? null : (
        <>
          <Sentence preview={first} />
          <Difference pages={preview.data?.pages ?? []} list={preview} />
          <AlertsSentence preview={first} />
          {change === null || first.refused === 0 || first.changed === 0 ? null : (
            <OnlyOthers {...{ request, change, count: first.changed }} />
          )}
        </>
      )}
      <Waiting isWaiting={turn.isWaiting} text={texts.waiting.apply} />
      <ActionProblem error={preview.error ?? apply.error} />
      <div className="page-actions">
        {hasChanged || preview.isError ? (
          <Button onClick={again} loading={preview.isFetching}>
            {texts.preview.again}
          </Button>
        ) : canApply ? (
          <Button
            {...(request.operation === 'delete' ? { color: 'red' } : {})}
            onClick={() => apply.mutate(first.fingerprint)}
            loading={apply.isPending}
          >
            {texts.preview.apply[request.operation](first.changed)}
          </Button>
        ) : null}
        {back === null ? null : (
          <Button variant="default" onClick={back}>
            {texts.form.back}
          </Button>
        )}
        <Button variant="default" onClick={close}>
          {app.dialog.cancel}
        </Button>
      </div>
    </div>
  );
}

function Sentence({ preview }: { preview: BulkPreview }) {
  const { operation, changed, unchanged, refused, not_found: notFound } = preview;
  const others = [
    ...(unchanged === 0 ? [] : [texts.preview.unchanged(unchanged)]),
    ...(notFound === 0 ? [] : [texts.preview.notFound(notFound)]),
  ];
  return (
    <>
      {refused === 0 ? null : (
        <p className="note bad" role="alert">
          {texts.preview.refused(refused)}
        </p>
      )}
      <p className="strong">
        {changed === 0 && refused === 0 ? texts.preview.nothing : texts.preview.sentence[operation](changed)}
        {others.length === 0 ? null : <span className="soft"> ({others.join(', ')})</span>}
      </p>
      {changed === 0 || refused > 0 ? null : <p className="soft">{texts.preview.undoable}</p>}
    </>
  );
}
