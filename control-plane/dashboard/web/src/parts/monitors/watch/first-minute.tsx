import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { PageHead } from '../../../components/page/page-head.tsx';
import { texts } from '../../../texts/app/texts.ts';
import { Watch } from './watch.tsx';

interface FirstMinuteProps {
  /** Whether to ask what to watch: the workspace has no monitors. */
  asks: boolean;
  /** What is broken in a workspace without monitors: nothing comes before it. */
  broken?: ReactNode;
  /** What else the workspace has, below the question. */
  rest?: ReactNode;
  /** The page of a workspace with monitors. */
  children: ReactNode;
}

/**
 * In a workspace without monitors, the one next step, with what else is watched below it. It stays until the person leaves: an event says
 * that the monitor exists before its answers have come in. The link of the navigation to the same page leaves it, too.
 */
export function FirstMinute({ asks, broken, rest, children }: FirstMinuteProps) {
  const router = useRouter();
  const [hasBegun, setBegun] = useState(false);
  // The address stays the same then, so the page is not taken away.
  useEffect(() => router.subscribe('onBeforeNavigate', () => setBegun(false)), [router]);
  if (!asks && !hasBegun) return children;
  return (
    <>
      <PageHead title={texts.watch.title} sentence={texts.watch.lead} />
      <div className="stack">
        {hasBegun ? null : broken}
        <Watch onBegin={() => setBegun(true)} />
        {hasBegun ? null : rest}
      </div>
    </>
  );
}
