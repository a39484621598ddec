import { Button, Textarea } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { BulkRequest } from '../../../api/types.ts';
import { useMayWrite } from '../../../app/account.ts';
import { PageHead } from '../../../components/page-head.tsx';
import { texts as app } from '../../../texts/app/texts.ts';
import { type PastedLines, pastedLines } from './pasted.ts';
import { Preview } from './preview.tsx';
import { texts } from './texts/texts.ts';
import './bulk.css';

/** As many as the API adds in one change. */
const LINES_MAX = 2_000;
const BAD_SHOWN_MAX = 5;

/** Many monitors from pasted lines. */
export function PastePage() {
  const mayWrite = useMayWrite();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [request, setRequest] = useState<BulkRequest | null>(null);
  return (
    <>
      <PageHead title={texts.paste.title} sentence={texts.paste.lead} />
      {!mayWrite ? (
        <p className="note">{texts.paste.viewerOnly}</p>
      ) : request === null ? (
        <Lines text={text} type={setText} choose={setRequest} />
      ) : (
        <section className="panel">
          <Preview
            {...{ request, back: () => setRequest(null) }}
            close={() => void navigate({ to: '/monitors', search: {} })}
          />
        </section>
      )}
    </>
  );
}

interface LinesProps {
  text: string;
  type(text: string): void;
  choose(request: BulkRequest): void;
}

function Lines({ text, type, choose }: LinesProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [bad, setBad] = useState<PastedLines['bad']>([]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const lines = pastedLines(text);
    setBad(lines.bad);
    const { monitors } = lines;
    if (monitors.length > LINES_MAX) return setProblem(texts.paste.tooMany(LINES_MAX));
    if (monitors.length === 0 && lines.bad.length === 0) return setProblem(texts.paste.nothing);
    setProblem(null);
    if (lines.bad.length === 0) choose({ operation: 'add', monitors });
  };
  const { repeated } = pastedLines(text);
  return (
    <form className="panel stack bulk-lines" onSubmit={submit} noValidate>
      <Textarea
        {...{ name: 'lines', label: texts.paste.label, placeholder: texts.paste.placeholder, rows: 14, value: text }}
        {...{ error: problem, autoFocus: true, autoComplete: 'off', spellCheck: false, autoCapitalize: 'none' }}
        onChange={({ currentTarget }) => type(currentTarget.value)}
      />
      {bad.length === 0 ? null : (
        <div className="note bad" role="alert">
          {bad.slice(0, BAD_SHOWN_MAX).map(({ line, text: shown, problem: code }) => (
            <p key={line} className="wrap">
              {texts.paste.bad(line, app.watch[code])} <bdi className="mono">{shown}</bdi>
            </p>
          ))}
          {bad.length > BAD_SHOWN_MAX ? <p>{texts.paste.badMore(bad.length - BAD_SHOWN_MAX)}</p> : null}
        </div>
      )}
      {repeated === 0 ? null : <p className="soft">{texts.paste.repeated(repeated)}</p>}
      <div className="page-actions">
        <Button type="submit">{texts.paste.next}</Button>
      </div>
    </form>
  );
}
