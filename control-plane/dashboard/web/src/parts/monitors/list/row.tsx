import { memo } from 'react';
import type { MonitorSummary } from '../../../api/types.ts';
import { Said } from '../../../components/said.tsx';
import { StatusMark } from '../../../components/status-mark.tsx';
import { observed, percent, responseTime } from '../../../texts/format.ts';
import type { Paint } from './history/draw.ts';
import { History } from './history/history.tsx';
import type { HistoryCache } from './history/history-cache.ts';
import { certificateTone, type Listed, uptimeOf } from './listed.ts';
import { texts } from './texts/texts.ts';

const TAGS_SHOWN = 3;
const TONES = { expired: 'tone-down', soon: 'tone-warning', fine: '' } as const;

interface RowProps {
  row: Listed;
  index: number;
  isSelected: boolean;
  /** Whether rows can be selected, because the person may change them. */
  maySelect: boolean;
  window: '24h' | '30d';
  history: HistoryCache;
  paint: Paint;
  /** Without its figures, which follow: there is no time for them in this frame. */
  isBrief: boolean;
}

/**
 * One monitor. It is a plain link and a plain checkbox, because the list handles clicks for all of its rows: a row must
 * cost little, as many of them change with each key that is typed.
 */
export const Row = memo(function Row({ row, index, isSelected, maySelect, isBrief, ...drawing }: RowProps) {
  const { monitor, state } = row;
  return (
    <>
      {maySelect ? (
        <label className="monitor-select">
          <input
            type="checkbox"
            data-row={index}
            checked={isSelected}
            readOnly
            aria-label={texts.select(monitor.name)}
          />
        </label>
      ) : null}
      <a href={`monitors/${monitor.id}`} data-row={index} className={isBrief ? 'monitor-row is-brief' : 'monitor-row'}>
        <StatusMark state={state} quiet />
        <span className="monitor-names">
          <span className="monitor-title">
            <bdi className="two-lines strong">{monitor.name}</bdi>
            <Tags tags={monitor.tags} />
          </span>
          <span className="monitor-under">
            {state === 'down' || state === 'paused' ? (
              <span className={`cell-since ${state === 'down' ? 'tone-down' : ''}`}>
                <Said words={(time) => texts.since(time(monitor.status_changed_at))} isInLink />
              </span>
            ) : null}
            <bdi className="cut soft">{monitor.url}</bdi>
          </span>
        </span>
        <Figures {...{ row, isBrief, ...drawing }} />
      </a>
    </>
  );
});

type FiguresProps = Pick<RowProps, 'row' | 'isBrief' | 'window' | 'history' | 'paint'>;

/** Those of a brief row are hidden, and stay those of the monitor that its place showed before. */
const Figures = memo(
  function Figures({ row, window, history, paint }: FiguresProps) {
    const { monitor } = row;
    return (
      <>
        <History {...{ row, history, window, paint }} />
        <Uptime monitor={monitor} window={window} />
        <span className="cell-response">
          {monitor.response_time_ms === null ? '–' : responseTime(monitor.response_time_ms)}
        </span>
        <Certificate days={monitor.certificate_days_remaining} />
      </>
    );
  },
  (before, after) =>
    after.isBrief ||
    (before.row === after.row &&
      before.window === after.window &&
      before.history === after.history &&
      before.paint === after.paint),
);

function Tags({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null;
  const rest = tags.length - TAGS_SHOWN;
  return (
    <span className="monitor-tags">
      {tags.slice(0, TAGS_SHOWN).map((tag) => (
        <bdi key={tag} className="tag cut">
          {tag}
        </bdi>
      ))}
      {rest > 0 ? <span className="soft">+{rest}</span> : null}
    </span>
  );
}

function Uptime({ monitor, window }: { monitor: MonitorSummary; window: '24h' | '30d' }) {
  const { uptime, coverage } = uptimeOf(monitor, window);
  if (uptime === null) return <span className="cell-uptime soft">{texts.nothingObserved}</span>;
  return (
    <span className="cell-uptime">
      {percent(uptime)}
      <span className="cell-coverage soft">{texts.observed(observed(coverage, window === '24h' ? 24 : 720))}</span>
    </span>
  );
}

function Certificate({ days }: { days: number | null }) {
  if (days === null) return <span className="cell-certificate soft">–</span>;
  const tone = certificateTone(days);
  return (
    <span className={`cell-certificate ${TONES[tone]}`}>{tone === 'expired' ? texts.expired : texts.days(days)}</span>
  );
}
