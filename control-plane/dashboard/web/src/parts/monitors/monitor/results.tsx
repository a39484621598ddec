import { useQuery } from '@tanstack/react-query';
import { resultsQuery } from '../../../api/queries.ts';
import type { Result } from '../../../api/types.ts';
import { StatusMark } from '../../../components/status-mark.tsx';
import { texts } from '../../../texts/app/texts.ts';
import { clockTime, exactTime, milliseconds } from '../../../texts/format.ts';
import { useCity } from '../location-list.tsx';

const PHASES = ['dns_ms', 'connect_ms', 'tls_ms', 'ttfb_ms', 'transfer_ms'] as const;

export function Results({ id }: { id: string }) {
  const { data = [], isSuccess } = useQuery(resultsQuery(id));
  const city = useCity();
  const { time, location, result, response, phases } = texts.monitor.columns;
  return (
    <section className="panel">
      <h2>{texts.monitor.results}</h2>
      {isSuccess && data.length === 0 ? <p className="soft">{texts.monitor.noResults}</p> : null}
      {data.length === 0 ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        <section className="table-scroll" tabIndex={0} aria-label={texts.monitor.results}>
          <table>
            <thead>
              <tr>
                {[time, location, result].map((label) => (
                  <th key={label} scope="col">
                    {label}
                  </th>
                ))}
                <th scope="col" className="right">
                  {response}
                </th>
                <th scope="col">{phases}</th>
              </tr>
            </thead>
            <tbody>
              {data.map((one) => (
                <tr key={one.id}>
                  <td className="nowrap">
                    <time dateTime={one.checked_at} title={exactTime(one.checked_at)}>
                      {clockTime(one.checked_at)}
                    </time>
                  </td>
                  <td className="nowrap">{city(one.location)}</td>
                  <td className="result">
                    <Outcome result={one} />
                  </td>
                  <td className="right nowrap">{milliseconds(one.response_time_ms)}</td>
                  <td className="soft nowrap">{phasesOf(one)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}

function Outcome({ result: { status, error, final, http_status } }: { result: Result }) {
  return (
    <>
      <StatusMark state={status} />
      {http_status === null || error !== null ? null : <span className="soft"> {http_status}</span>}
      {final ? null : <span className="soft"> · {texts.monitor.retried}</span>}
      {error === null ? null : <span className="row-detail wrap">{error.message}</span>}
    </>
  );
}

/** `DNS 2 ms · connect 9 ms`: the phases that the check had. */
function phasesOf({ timings }: Result): string {
  return PHASES.flatMap((phase) => {
    const value = timings[phase];
    return value === null ? [] : [`${texts.monitor.phases[phase]} ${milliseconds(value)}`];
  }).join(' · ');
}
