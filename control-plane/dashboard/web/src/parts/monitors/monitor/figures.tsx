import type { Monitor } from '../../../api/types.ts';
import { texts } from '../../../texts/app/texts.ts';
import { milliseconds, percent } from '../../../texts/format.ts';

const WINDOWS = ['24h', '7d', '30d'] as const;

/** Uptime beside how much of the time was observed, and the response time. */
export function UptimePanel({ monitor }: { monitor: Monitor }) {
  const { response_time_ms } = monitor;
  return (
    <section className="panel" aria-label={texts.monitor.uptime}>
      <dl className="figures">
        {WINDOWS.map((window) => {
          const uptime = monitor[`uptime_${window}`];
          return (
            <div key={window}>
              <dt>
                {texts.monitor.uptime} {texts.monitor.windows[window]}
              </dt>
              <dd className="figure">{uptime === null ? '–' : percent(uptime)}</dd>
              <dd className="soft">
                {uptime === null
                  ? texts.monitor.noUptime
                  : texts.monitor.observed(percent(monitor[`coverage_${window}`]))}
              </dd>
            </div>
          );
        })}
        <div>
          <dt>{texts.monitor.response}</dt>
          <dd className="figure">{response_time_ms === null ? '–' : milliseconds(response_time_ms)}</dd>
          <dd className="soft">{texts.monitor.median}</dd>
        </div>
      </dl>
    </section>
  );
}
