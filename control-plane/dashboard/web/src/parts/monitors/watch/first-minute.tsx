import { type ReactNode, useState } from 'react';
import { PageHead } from '../../../components/page-head.tsx';
import { texts } from '../../../texts/app/texts.ts';
import { Watch } from './watch.tsx';

interface FirstMinuteProps {
  /** Whether the workspace has no monitors. */
  isEmpty: boolean;
  /** The page of a workspace with monitors. */
  children: ReactNode;
}

/**
 * In a workspace without monitors, the one next step in place of the page. It stays until the person leaves: an event says
 * that the monitor exists before its answers have come in.
 */
export function FirstMinute({ isEmpty, children }: FirstMinuteProps) {
  const [hasBegun, setBegun] = useState(false);
  if (!isEmpty && !hasBegun) return children;
  return (
    <>
      <PageHead title={texts.watch.title} sentence={texts.watch.lead} />
      <Watch onBegin={() => setBegun(true)} />
    </>
  );
}
