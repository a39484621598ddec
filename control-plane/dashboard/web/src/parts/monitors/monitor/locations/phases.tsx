import type { Result } from '../../../../api/types.ts';
import { texts } from '../../../../texts/app/texts.ts';
import { milliseconds } from '../../../../texts/format.ts';

const PHASES = ['dns_ms', 'connect_ms', 'tls_ms', 'ttfb_ms', 'transfer_ms'] as const;

/** The phases that a check had, with their durations in milliseconds. */
function phasesOf({ timings }: Pick<Result, 'timings'>) {
  return PHASES.flatMap((phase) => {
    const ms = timings[phase];
    return ms === null ? [] : [{ phase, ms, label: texts.monitor.phases[phase] }];
  });
}

/** `DNS 2 ms · connect 9 ms`: the phases that the check had. */
export function phasesText(result: Pick<Result, 'timings'>): string {
  return phasesOf(result)
    .map(({ label, ms }) => `${label} ${milliseconds(ms)}`)
    .join(' · ');
}

/** The phases as a bar; `longestMs` is the whole width. The numbers are beside it. */
export function PhaseBar({ result, longestMs }: { result: Pick<Result, 'timings'>; longestMs: number }) {
  return (
    <span className="phases">
      <span className="phase-bar" aria-hidden="true">
        {phasesOf(result).map(({ phase, ms }) => (
          <span key={phase} className={`phase phase-${phase}`} style={{ width: `${(ms / longestMs) * 100}%` }} />
        ))}
      </span>
      <span className="phase-numbers soft">
        {phasesOf(result).map(({ phase, label, ms }) => (
          <span key={phase} className="phase-number">
            <span className={`phase-key phase-${phase}`} aria-hidden="true" />
            {label} {milliseconds(ms)}
          </span>
        ))}
      </span>
    </span>
  );
}
