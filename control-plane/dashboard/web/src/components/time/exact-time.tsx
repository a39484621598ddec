import type { ReactNode } from 'react';
import { exactTime } from '../../texts/format.ts';

interface ExactTimeProps {
  at: string;
  children: ReactNode;
  className?: string;
  /** Within a link or a summary, which takes the focus itself. */
  isInLink?: boolean;
}

/**
 * A time as the page writes it. `ExactTimes` shows the exact one when it has the focus or is tapped. The element itself
 * has no state and no listeners, so that long lists can have one in each row.
 */
export function ExactTime({ at, children, className, isInLink = false }: ExactTimeProps) {
  return (
    <time
      {...{ dateTime: at, title: exactTime(at), className }}
      // What the tooltip says must be reachable by keyboard and by touch.
      tabIndex={isInLink ? undefined : 0}
    >
      {children}
    </time>
  );
}
