import { type ReactNode, useEffect, useRef } from 'react';
import type { CreatedApiKey } from '../../api/types.ts';
import { CopyField } from '../../components/form/copy-field.tsx';
import { texts } from './texts/texts.ts';

/** The value of a new key, which is shown only now. `children` is the way on. */
export function MadeKey({ made, children }: { made: CreatedApiKey; children: ReactNode }) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <section className="panel form-panel" ref={place} tabIndex={-1} aria-label={texts.made(made.name)}>
      <h2 className="wrap">{texts.made(made.name)}</h2>
      <CopyField label={texts.value} value={made.key} />
      <p className="note">{texts.shownOnce}</p>
      <div className="page-actions">{children}</div>
    </section>
  );
}
