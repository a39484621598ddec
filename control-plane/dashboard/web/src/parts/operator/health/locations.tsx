import { useQuery } from '@tanstack/react-query';
import { locationsQuery } from '../../../api/queries.ts';
import { milliseconds } from '../../../texts/format.ts';
import { adminLocationsQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';
import { Line } from './line.tsx';

const words = texts.health;

/** Each location with its probes, those that need a look first. */
export function Locations() {
  const locations = useQuery(locationsQuery).data ?? [];
  const quarantined = new Set(
    (useQuery(adminLocationsQuery).data ?? []).filter((one) => one.quarantined).map(({ code }) => code),
  );
  const rows = locations.map((location) => {
    const isQuarantined = quarantined.has(location.code);
    return { ...location, isQuarantined, ok: location.connected_probes > 0 && !isQuarantined };
  });
  return (
    <section className="panel">
      <h2>{words.locations}</h2>
      <ul className="rows" aria-label={words.locations}>
        {rows
          .toSorted((a, b) => Number(a.ok) - Number(b.ok))
          .map(({ code, city, connected_probes, isQuarantined, schedule_lateness, detection_delay, ok }) => (
            <Line key={code} ok={ok}>
              <p>
                <bdi className="strong wrap">{city}</bdi>{' '}
                {connected_probes === 0 ? words.noProbeHere : words.probesHere(connected_probes)}
              </p>
              {isQuarantined ? <p className="row-detail tone-warning">{words.quarantined}</p> : null}
              {schedule_lateness === null ? null : (
                <p className="row-detail">{words.late(milliseconds(schedule_lateness.p99_ms))}</p>
              )}
              {detection_delay === null ? null : (
                <p className="row-detail">{words.delay(milliseconds(detection_delay.p99_ms))}</p>
              )}
            </Line>
          ))}
      </ul>
    </section>
  );
}
