import { Button, NativeSelect } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.ts';
import type { One, ScanWithFindings } from '../../api/types.ts';
import { CopyField } from '../../components/form/copy-field.tsx';
import { ActionProblem } from '../../components/problem-note.tsx';
import { confirmationQuery, scansPath, websitesQuery } from './queries.ts';
import { texts } from './texts/texts.ts';

/** Starts a scan of the website of a monitor, and opens its page. */
export function ScanForm() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState('');
  const { data: websites } = useQuery(websitesQuery);
  const { data: confirmation } = useQuery(confirmationQuery);
  const start = useMutation({
    mutationFn: async (monitorId: string) =>
      (await call<One<ScanWithFindings>>('POST', scansPath, { monitor_id: monitorId })).data,
    async onSuccess({ id }) {
      for (const queryKey of [['scans'], ['billing']]) void queries.invalidateQueries({ queryKey });
      await navigate({ to: `/scans/${id}` });
    },
  });
  if (websites === undefined || confirmation === undefined) return null;
  if (websites.length === 0) {
    return (
      <section className="panel empty">
        <p>{texts.form.noWebsite}</p>
        <div className="page-actions">
          <Button component={Link} to="/monitors/new">
            {texts.form.createMonitor}
          </Button>
        </div>
      </section>
    );
  }
  const monitor = websites.find(({ id }) => id === chosen) ?? websites[0];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (monitor !== undefined) start.mutate(monitor.id);
  };
  const host = monitor === undefined || !URL.canParse(monitor.url) ? '' : new URL(monitor.url).hostname;
  return (
    <form className="panel scan-form" onSubmit={submit} noValidate>
      <NativeSelect
        label={texts.form.website}
        value={monitor?.id ?? ''}
        data={websites.map(({ id, name, url }) => ({ value: id, label: `${name} (${url})` }))}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      />
      <details>
        <summary>{texts.form.confirm}</summary>
        <p className="wrap">{texts.form.confirmHelp(`${confirmation.record_prefix}${host}`, confirmation.file_path)}</p>
        <CopyField label={texts.form.token} value={confirmation.token} />
      </details>
      <ActionProblem error={start.error} />
      <div className="page-actions">
        <Button type="submit" loading={start.isPending}>
          {texts.form.start}
        </Button>
      </div>
    </form>
  );
}
