import { useInfiniteQuery } from '@tanstack/react-query';
import type { BackupRun } from '../../api/types.ts';
import { MoreButton } from '../../components/more-button.tsx';
import { UnreadPart } from '../../components/page/unread-page.tsx';
import { Time } from '../../components/time/time.tsx';
import { duration, fileSize } from '../../texts/format.ts';
import { RunMark } from './marks.tsx';
import { runsQuery } from './queries.ts';
import { texts } from './texts/texts.ts';

const SECOND_MS = 1_000;

/** The runs of a job, newest first. */
export function Runs({ id }: { id: string }) {
  const list = useInfiniteQuery(runsQuery(id));
  if (list.data === undefined) return <UnreadPart error={list.error} retry={() => void list.refetch()} />;
  const runs = list.data.pages.flatMap(({ data }) => data);
  return (
    <section className="panel" aria-labelledby="backup-runs">
      <h2 id="backup-runs">{texts.runs.title}</h2>
      {runs.length === 0 ? <p className="soft">{texts.runs.none}</p> : null}
      <ul className="rows">
        {runs.map((run) => (
          <Run key={run.id} run={run} />
        ))}
      </ul>
      <MoreButton list={list} label={texts.runs.older} />
    </section>
  );
}

function Run({ run }: { run: BackupRun }) {
  const { status, log, sha256 } = run;
  const at = run.ended_at ?? run.started_at ?? run.expected_at;
  return (
    <li className="backup-run">
      <RunMark status={status} />
      <div className="row-main">
        <p className="wrap">{factsOf(run).join(' · ')}</p>
        {log === null && sha256 === null ? null : (
          <details>
            <summary>{texts.runs.details}</summary>
            {sha256 === null ? null : (
              <p className="wrap">
                {texts.runs.sha256} <span className="mono">{sha256}</span>
              </p>
            )}
            {log === null ? <p className="soft">{texts.runs.noLog}</p> : <pre className="backup-log">{log}</pre>}
          </details>
        )}
      </div>
      <span className="row-side">{at === null ? texts.noTime : <Time at={at} />}</span>
    </li>
  );
}

function factsOf(run: BackupRun): string[] {
  const { status, problem, duration_seconds: seconds, exit_code: code, size_bytes: size } = run;
  return [
    ...(problem === null ? [] : [texts.problems[problem]]),
    ...(status === 'unknown' ? [texts.runs.unknown] : []),
    ...(size === null ? [] : [fileSize(size)]),
    ...(seconds === null
      ? []
      : [texts.runs.lasted(seconds === 0 ? `< ${duration(SECOND_MS)}` : duration(seconds * SECOND_MS))]),
    ...(code === null ? [] : [texts.runs.exitCode(code)]),
  ];
}
