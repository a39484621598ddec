import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ApiProblem } from '../../../api/client.ts';
import type { Monitor } from '../../../api/types.ts';
import { useMayWrite } from '../../../app/account.ts';
import { readVersioned } from '../../../components/editing/use-editable.ts';
import { PageHead } from '../../../components/page-head.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { PageSkeleton } from '../../../components/skeleton.tsx';
import { Gone } from '../gone.tsx';
import { EditForm } from './edit-form.tsx';
import { words } from './texts/texts.ts';

export function EditMonitorPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const mayWrite = useMayWrite();
  const { data, error, refetch } = useQuery({
    queryKey: ['monitor', id, 'edit'],
    queryFn: ({ signal }) => readVersioned<Monitor>(`/v1/monitors/${id}`, signal),
    // Editing begins with what the monitor is now.
    gcTime: 0,
  });
  if (data === undefined) {
    if (error instanceof ApiProblem && (error.status === 404 || error.status === 422)) return <Gone />;
    return error === null ? <PageSkeleton /> : <ProblemNote error={error} retry={() => void refetch()} />;
  }
  return (
    <>
      <PageHead title={words.title(data.thing.name)} sentence={mayWrite ? words.lead : words.viewerOnly} />
      {mayWrite ? <EditForm loaded={data} /> : null}
    </>
  );
}
