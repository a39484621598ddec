import { type ReactNode, useState } from 'react';
import { ApiProblem } from '../../api/client.ts';
import { PageProblem, ProblemNote } from '../problem-note.tsx';
import { PageSkeleton, PartSkeleton } from './skeleton.tsx';

interface UnreadProps {
  /** Why the last read failed; null while the page is read, also when it is read again. */
  error: unknown;
  retry(): void;
}

interface UnreadPageProps extends UnreadProps {
  /** In place of an object that does not exist. The page of an object has its id as `key`. */
  gone?: ReactNode;
}

/** In place of a page that is not read yet: its shape, and after a failed read the error, also while it is read again. */
export function UnreadPage({ error, retry, gone }: UnreadPageProps) {
  const last = useLastError(error);
  if (last === null) return <PageSkeleton />;
  const isGone = last instanceof ApiProblem && (last.status === 404 || last.status === 422);
  if (isGone && gone !== undefined) return gone;
  return <PageProblem error={last} retry={retry} isTrying={error === null} />;
}

interface UnreadPartProps extends UnreadProps {
  /** The shape of what is read. */
  shape?: ReactNode;
}

/** In place of a part of a page that is not read yet, as `UnreadPage` of a whole page. */
export function UnreadPart({ error, retry, shape = <PartSkeleton /> }: UnreadPartProps) {
  const last = useLastError(error);
  if (last === null) return shape;
  return <ProblemNote error={last} retry={retry} isTrying={error === null} />;
}

/** Returns the error of the last read that ended. A read that begins takes it from its query. */
function useLastError(error: unknown): unknown {
  const [last, setLast] = useState<unknown>(null);
  if (error !== null && error !== last) setLast(error);
  return error ?? last;
}
