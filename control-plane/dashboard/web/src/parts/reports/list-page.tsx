import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ClientReport } from '../../api/types.ts';
import { useMayWrite } from '../../app/account.ts';
import { PageHead } from '../../components/page/page-head.tsx';
import { UnreadPage } from '../../components/page/unread-page.tsx';
import { reportsQuery } from './queries.ts';
import { ReportRow } from './report-row.tsx';
import { texts } from './texts/texts.ts';
import './reports.css';
import { MoreButton } from '../../components/more-button.tsx';

export function ReportsPage() {
  const list = useInfiniteQuery(reportsQuery);
  const mayWrite = useMayWrite();
  if (list.data === undefined) return <UnreadPage error={list.error} retry={() => void list.refetch()} />;
  const reports = list.data.pages.flatMap(({ data }) => data);
  const actions = (
    <>
      <Button variant="default" component={Link} to="/reports/schedules">
        {texts.schedules}
      </Button>
      <Button component={Link} to="/reports/new">
        {texts.create}
      </Button>
    </>
  );
  if (reports.length === 0) {
    return (
      <>
        <PageHead title={texts.title} sentence={texts.none} />
        <section className="panel empty">
          <p>{texts.empty}</p>
          <div className="page-actions">{actions}</div>
        </section>
      </>
    );
  }
  return (
    <>
      <PageHead title={texts.title} sentence={sentenceOf(reports, list.hasNextPage)} actions={actions} />
      <ul className="panel rows" aria-label={texts.title}>
        {reports.map((report) => (
          <ReportRow key={report.id} report={report} mayWrite={mayWrite} />
        ))}
      </ul>
      <MoreButton list={list} label={texts.older} />
    </>
  );
}

function sentenceOf(reports: readonly ClientReport[], hasMore: boolean): string {
  const generating = reports.filter(({ status }) => status === 'generating').length;
  if (generating > 0) return texts.generatingNow(generating);
  return texts.count(reports.length, hasMore);
}
