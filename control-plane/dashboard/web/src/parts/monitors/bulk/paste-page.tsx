import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { BulkChange, BulkRequest } from '../../../api/types.ts';
import { useMayWrite } from '../../../app/account.ts';
import { useDraft, useForgotten } from '../../../components/form/use-draft.ts';
import { PageHead } from '../../../components/page/page-head.tsx';
import { INTERVAL_S_DEFAULT } from '../intervals.ts';
import { type Draft, LinesForm } from './form/lines-form.tsx';
import { Progress } from './job/progress.tsx';
import { Preview } from './preview.tsx';
import { texts } from './texts/texts.ts';
import './bulk.css';

const EMPTY: Draft = { text: '', intervalS: INTERVAL_S_DEFAULT, tags: '' };

/** Many monitors from pasted lines. */
export function PastePage() {
  const mayWrite = useMayWrite();
  const navigate = useNavigate();
  const kept = useDraft<Draft>('lines');
  const [draft, setDraft] = useState(kept.entered ?? EMPTY);
  const [request, setRequest] = useState<BulkRequest | null>(null);
  const [started, setStarted] = useState<BulkChange | null>(null);
  const isEntered = draft.text !== '' && started === null;
  useEffect(() => (isEntered ? kept.keep(draft, true) : kept.forget()), [kept, isEntered, draft]);
  useForgotten(mayWrite ? null : 'lines');
  return (
    <>
      <PageHead title={texts.paste.title} sentence={texts.paste.lead} />
      {!mayWrite ? (
        <p className="note">{texts.paste.viewerOnly}</p>
      ) : request === null ? (
        <LinesForm draft={draft} change={setDraft} choose={setRequest} />
      ) : (
        <section className="panel">
          {started !== null ? (
            <Progress started={started} />
          ) : (
            <Preview
              {...{ request, back: () => setRequest(null), change: null }}
              begun={(change) => {
                // Also when the person looks at another page meanwhile.
                kept.forget();
                setStarted(change);
              }}
              close={() => {
                kept.forget();
                void navigate({ to: '/monitors', search: {} });
              }}
            />
          )}
        </section>
      )}
    </>
  );
}
