import type { ReactNode } from 'react';
import { Mark } from '../../../components/status-mark.tsx';
import { texts } from '../texts/texts.ts';

/** A figure in a sentence, with a sign that says whether somebody should look at it. */
export function Line({ ok, children }: { ok: boolean; children: ReactNode }) {
  return (
    <li className="row health-line">
      <Mark as={ok ? 'up' : 'warning'} word={ok ? texts.health.ok : texts.health.look} quiet={false} />
      <div className="row-main wrap">{children}</div>
    </li>
  );
}
