import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { isNotFound } from '../../../api/client.ts';
import { apiPath } from '../../../api/path.ts';
import type { Monitor } from '../../../api/types.ts';
import { useMayWrite } from '../../../app/account.ts';
import { readVersioned } from '../../../components/editing/use-editable.ts';
import { editOf, useForgotten } from '../../../components/form/use-draft.ts';
import { PageHead } from '../../../components/page/page-head.tsx';
import { UnreadPage } from '../../../components/page/unread-page.tsx';
import { Gone } from '../gone.tsx';
import { EditForm } from './edit-form.tsx';
import { words } from './texts/texts.ts';

export function EditMonitorPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const mayWrite = useMayWrite();
  const path = apiPath`/v1/monitors/${id}`;
  useForgotten(mayWrite ? null : editOf(path));
  const { data, error, refetch } = useQuery({
    queryKey: ['monitor', id, 'edit'],
    queryFn: ({ signal }) => readVersioned<Monitor>(path, signal),
    // Editing begins with what the monitor is now.
    gcTime: 0,
  });
  if (data === undefined) {
    return <UnreadPage key={id} error={error} retry={() => void refetch()} gone={<Gone path={path} />} />;
  }
  return (
    <>
      <PageHead title={words.title(data.thing.name)} sentence={mayWrite ? words.lead : words.viewerOnly} />
      {mayWrite ? <EditForm loaded={data} isGone={isNotFound(error)} /> : null}
    </>
  );
}
