import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Scan } from '../../api/types.ts';
import { useMayWrite } from '../../app/account.ts';
import { PageHead } from '../../components/page/page-head.tsx';
import { UnreadPage } from '../../components/page/unread-page.tsx';
import { ExactTime } from '../../components/time/exact-time.tsx';
import { shortTime } from '../../texts/format.ts';
import { ScanMark } from './marks.tsx';
import { isOpen, scansQuery } from './queries.ts';
import { ScanForm } from './scan-form.tsx';
import { texts } from './texts/texts.ts';
import './scans.css';

export function ScansPage() {
  const { data: scans, error, refetch } = useQuery(scansQuery);
  const mayWrite = useMayWrite();
  if (scans === undefined) return <UnreadPage error={error} retry={() => void refetch()} />;
  const latest = latestOf(scans);
  const serious = latest.filter(({ counts }) => counts.critical + counts.high > 0).length;
  return (
    <>
      <PageHead
        title={texts.title}
        sentence={sentenceOf(scans, latest.length, serious, mayWrite)}
        tone={serious > 0 ? 'warning' : 'idle'}
      />
      <div className="stack">
        {mayWrite ? <ScanForm /> : null}
        {scans.length === 0 ? null : (
          <section className="panel list-panel">
            <div className="list-head scan-columns" aria-hidden="true">
              {[texts.columns.website, texts.columns.found, texts.columns.score, texts.columns.when].map((label) => (
                <span key={label}>{label}</span>
              ))}
            </div>
            <ul aria-label={texts.title}>
              {scans.map((scan) => (
                <li key={scan.id}>
                  <ScanRow scan={scan} />
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </>
  );
}

/** Returns the last completed scan of each website. The newest scans are first. */
function latestOf(scans: readonly Scan[]): Scan[] {
  const byTarget = new Map<string, Scan>();
  for (const scan of scans)
    if (scan.status === 'completed' && !byTarget.has(scan.target)) byTarget.set(scan.target, scan);
  return [...byTarget.values()];
}

function sentenceOf(scans: readonly Scan[], websites: number, serious: number, mayWrite: boolean): string {
  if (scans.length === 0) return mayWrite ? texts.empty : texts.viewer;
  if (scans.some(isOpen)) return texts.running;
  if (websites === 0) return texts.noneCompleted;
  return serious > 0 ? texts.serious(serious, websites) : texts.notSerious(websites);
}

function ScanRow({ scan }: { scan: Scan }) {
  const { id, target, status, score, counts, created_at } = scan;
  const found = texts.found(counts.critical + counts.high, counts.medium + counts.low);
  return (
    <Link to={`/scans/${id}`} className="list-row scan-columns">
      <span className="list-name">
        <ScanMark scan={scan} />
        <bdi className="cut strong">{target}</bdi>
      </span>
      <span className="cut">{status === 'completed' ? found : texts.statuses[status]}</span>
      <span title={texts.scoreMeaning}>{texts.score(score)}</span>
      <ExactTime at={created_at} isInLink>
        {shortTime(created_at, Date.now())}
      </ExactTime>
    </Link>
  );
}
