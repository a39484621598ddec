import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, useState } from 'react';
import { send } from '../../api/client.ts';
import type { ImportReport, One } from '../../api/types.ts';
import { FileField } from '../../components/form/file-field.tsx';
import { ActionProblem } from '../../components/problem-note.tsx';
import { fileProblem, type ImportFile, importFile } from './import-file.ts';
import { ImportResult } from './import-result.tsx';
import { texts } from './texts/texts.ts';

async function importMonitors({ content, contentType }: ImportFile, isTrial: boolean): Promise<ImportReport> {
  const path = `/v1/monitors/import?dry_run=${isTrial}`;
  const { body } = await send<One<ImportReport>>('POST', path, { text: { content, contentType } });
  return body.data;
}

/** Reads a file, shows what it would do, and does it only then. */
export function ImportMonitors() {
  const [file, setFile] = useState<ImportFile | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const queries = useQueryClient();
  const trial = useMutation({ mutationFn: (chosen: ImportFile) => importMonitors(chosen, true) });
  const apply = useMutation({
    mutationFn: (chosen: ImportFile) => importMonitors(chosen, false),
    onSuccess() {
      setFile(null);
      void queries.invalidateQueries({ queryKey: ['monitors'] });
      void queries.invalidateQueries({ queryKey: ['billing'] });
    },
  });
  const choose = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const chosen = currentTarget.files?.[0];
    trial.reset();
    apply.reset();
    setFile(null);
    setProblem(null);
    if (chosen === undefined) return;
    const refused = fileProblem(chosen);
    if (refused !== null) return setProblem(texts.fileProblems[refused]);
    const text = await chosen.text().catch(() => null);
    if (text === null) return setProblem(texts.fileProblems.unreadable);
    const read = importFile(chosen.name, text);
    setFile(read);
    trial.mutate(read);
  };
  return (
    <section className="panel form-panel">
      <h2>{texts.importTitle}</h2>
      <p>{texts.importHelp}</p>
      <FileField label={texts.file} accept=".json,.yaml,.yml" choose={(event) => void choose(event)} />
      {problem === null ? null : (
        <p className="note bad" role="alert">
          {problem}
        </p>
      )}
      {trial.isPending ? <p role="status">{texts.reading}</p> : null}
      <ActionProblem error={trial.error ?? apply.error} />
      {apply.data !== undefined ? (
        <ImportResult report={apply.data} />
      ) : trial.data === undefined || file === null ? null : (
        <>
          <ImportResult report={trial.data} />
          <div className="page-actions">
            <Button
              disabled={trial.data.summary.created + trial.data.summary.updated === 0}
              onClick={() => apply.mutate(file)}
              loading={apply.isPending}
            >
              {texts.importNow(trial.data.summary.created + trial.data.summary.updated)}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
