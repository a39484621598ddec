import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { apiPath } from '../../api/path.ts';
import type { ScanFinding, ScanWithFindings } from '../../api/types.ts';
import { useMayWrite } from '../../app/account.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Gone } from '../../components/page/gone.tsx';
import { PageHead } from '../../components/page/page-head.tsx';
import { UnreadPage } from '../../components/page/unread-page.tsx';
import { SeverityMark } from './marks.tsx';
import { scanQuery } from './queries.ts';
import { texts } from './texts/texts.ts';
import './scans.css';

export function ScanPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { data: scan, error, refetch } = useQuery(scanQuery(id));
  const mayWrite = useMayWrite();
  if (scan === undefined) {
    return (
      <UnreadPage
        key={id}
        error={error}
        retry={() => void refetch()}
        gone={<Gone text={texts.one.notFound} to="/scans" label={texts.one.toList} />}
      />
    );
  }
  const { counts, findings } = scan;
  const rest = findings.filter(({ severity }) => severity === 'passed');
  return (
    <>
      <PageHead
        title={scan.target}
        sentence={sentenceOf(scan)}
        tone={scan.status === 'failed' || counts.critical + counts.high > 0 ? 'warning' : 'idle'}
        actions={mayWrite && scan.status !== 'running' ? <Delete scan={scan} /> : undefined}
      />
      <div className="stack">
        {scan.error === null ? null : (
          <section className="panel">
            <p className="wrap" lang="en">
              {scan.error.message}
            </p>
          </section>
        )}
        {findings
          .filter(({ severity }) => severity !== 'passed')
          .map((finding) => (
            <Finding key={finding.code} finding={finding} />
          ))}
        {rest.length === 0 ? null : (
          <section className="panel scan-finding">
            <h2>{texts.one.passed(rest.length)}</h2>
            <ul lang="en">
              {rest.map(({ code, message }) => (
                <li key={code} className="wrap">
                  {message}
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </>
  );
}

function sentenceOf({ status, score }: ScanWithFindings): string {
  return status === 'completed' ? texts.one.score(texts.score(score)) : texts.one[status];
}

/** One finding: how bad, what to do, and what Picket read. Its sentences are those of the API, in English. */
function Finding({ finding: { area, severity, message, next_step, evidence } }: { finding: ScanFinding }) {
  return (
    <section className="panel scan-finding">
      <h2 className="wrap" lang="en">
        {message}
      </h2>
      <p>
        <SeverityMark severity={severity} /> <span className="soft">{texts.areas[area]}</span>
      </p>
      {next_step === null ? null : (
        <p className="wrap strong" lang="en">
          {next_step}
        </p>
      )}
      {evidence === null ? null : (
        <p className="wrap soft" lang="en">
          <bdi>{evidence}</bdi>
        </p>
      )}
    </section>
  );
}

function Delete({ scan: { id, target } }: { scan: ScanWithFindings }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => call('DELETE', apiPath`/v1/scans/${id}`),
    async onSuccess() {
      await navigate({ to: '/scans' });
      queries.removeQueries({ queryKey: ['scan', id] });
      void queries.invalidateQueries({ queryKey: ['scans'] });
    },
  });
  return (
    <ConfirmButton label={texts.one.delete} title={texts.one.deleteTitle(target)} action={remove}>
      {texts.one.deleteText}
    </ConfirmButton>
  );
}
