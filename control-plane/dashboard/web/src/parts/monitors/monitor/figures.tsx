import type { Monitor } from '../../../api/types.ts';
import { Explained } from '../../../components/time/explained.tsx';
import { texts } from '../../../texts/app/texts.ts';
import { duration, observed, percent, responseTime } from '../../../texts/format.ts';

const WINDOWS = ['24h', '7d', '30d'] as const;
const HOURS = { '24h': 24, '7d': 168, '30d': 720 } as const;
/** Below this percentage of the last day, the page says what it means without being asked. */
const PLAIN_MIN = 99;

/** Uptime beside how much of the time was observed, and the response time. */
export function UptimePanel({ monitor }: { monitor: Monitor }) {
  const { response_time_ms } = monitor;
  return (
    <section className="panel" aria-label={texts.monitor.uptime}>
      <dl className="figures">
        {WINDOWS.map((window) => {
          const uptime = monitor[`uptime_${window}`];
          const leftOutMs = monitor[`maintenance_seconds_${window}`] * 1_000;
          return (
            <div key={window}>
              <dt>
                {texts.monitor.uptime} {texts.monitor.windows[window]}
              </dt>
              <dd className="figure">{uptime === null ? '–' : percent(uptime)}</dd>
              <dd className="soft">
                {uptime === null ? (
                  texts.monitor.noUptime
                ) : (
                  <Explained text={texts.monitor.observedHelp}>
                    {texts.monitor.observed(observed(monitor[`coverage_${window}`], HOURS[window]))}
                  </Explained>
                )}
              </dd>
              {leftOutMs === 0 ? null : (
                <dd className="soft">
                  <Explained text={texts.monitor.leftOutHelp}>{texts.monitor.leftOut(duration(leftOutMs))}</Explained>
                </dd>
              )}
            </div>
          );
        })}
        <div>
          <dt>{texts.monitor.response}</dt>
          <dd className="figure">{response_time_ms === null ? '–' : responseTime(response_time_ms)}</dd>
          <dd className="soft">{texts.monitor.median}</dd>
        </div>
      </dl>
      {monitor.uptime_24h !== null && monitor.coverage_24h < PLAIN_MIN ? (
        <p className="soft">{texts.monitor.observedHelp}</p>
      ) : null}
    </section>
  );
}
