import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiUrl, call } from '../../api/client.ts';
import { apiPath } from '../../api/path.ts';
import type { ClientReport } from '../../api/types.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { Day, Time } from '../../components/time/time.tsx';
import { toast } from '../../components/toasts.tsx';
import { texts } from './texts/texts.ts';

const MARKS = { generating: 'unknown', completed: 'up', failed: 'down' } as const;
const MINUTE_MS = 60_000;
const KIB = 1_024;

interface ReportRowProps {
  report: ClientReport;
  mayWrite: boolean;
}

export function ReportRow({ report, mayWrite }: ReportRowProps) {
  const { id, title, client_name: client, period, status, error, pages, size_bytes: bytes } = report;
  return (
    <li className="report">
      <div className="row-main">
        <p className="two-lines strong">
          <bdi>{title}</bdi>
        </p>
        <p className="row-detail wrap">
          <bdi>{client}</bdi> · <Day at={period.from} /> – <Day at={lastMoment(period.to)} />
        </p>
        <p className="row-detail wrap">
          <Mark as={MARKS[status]} word={texts.status[status]} quiet={false} />
          {pages === null || bytes === null ? '' : ` · ${texts.pages(pages)} · ${texts.kib(Math.ceil(bytes / KIB))}`}
          {' · '}
          {texts.created} <Time at={report.created_at} />
        </p>
        {error === null ? null : <p className="row-detail wrap tone-down">{error}</p>}
      </div>
      <div className="page-actions">
        {status === 'completed' ? (
          <>
            <Button
              component="a"
              variant="default"
              target="_blank"
              rel="noopener"
              href={apiUrl(apiPath`/api/v1/client-reports/${id}/preview`)}
            >
              {texts.preview}
            </Button>
            <Button
              component="a"
              variant="default"
              download
              href={apiUrl(apiPath`/api/v1/client-reports/${id}/data.csv`)}
            >
              {texts.data}
            </Button>
            <Button component="a" href={apiUrl(apiPath`/api/v1/client-reports/${id}/download`)} download>
              {texts.download}
            </Button>
          </>
        ) : null}
        {mayWrite ? <DeleteReport report={report} /> : null}
      </div>
    </li>
  );
}

/** A period that ends at midnight ends with the day before. */
function lastMoment(to: string): string {
  return new Date(Date.parse(to) - MINUTE_MS).toISOString();
}

function DeleteReport({ report: { id, title } }: { report: ClientReport }) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => call('DELETE', apiPath`/api/v1/client-reports/${id}`),
    async onSuccess() {
      toast({ text: texts.deleted(title), undo: null });
      await queries.invalidateQueries({ queryKey: ['reports'] });
    },
  });
  return (
    <ConfirmButton label={texts.delete} title={texts.deleteTitle(title)} action={remove}>
      <p>{texts.deleteText}</p>
    </ConfirmButton>
  );
}
