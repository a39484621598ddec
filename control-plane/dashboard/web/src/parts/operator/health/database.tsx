import type { InstallationHealth } from '../../../api/types.ts';
import { milliseconds } from '../../../texts/format.ts';
import { texts } from '../texts/texts.ts';
import { Line } from './line.tsx';

const words = texts.health;

/** How the database answers, and the members of its replica set. */
export function Database({ database }: { database: InstallationHealth['database'] }) {
  const { latency_ms, ok, members } = database;
  return (
    <section className="panel">
      <h2>{words.database}</h2>
      <ul className="rows" aria-label={words.database}>
        <Line ok={ok}>{words.latency(milliseconds(latency_ms))}</Line>
        {(members ?? []).map(({ host, state, lag_ms, ok: isWell }) => (
          <Line key={host} ok={isWell}>
            <bdi className="mono wrap">{host}</bdi>{' '}
            <span className="row-detail">{words.member(state, lag_ms === null ? null : milliseconds(lag_ms))}</span>
          </Line>
        ))}
      </ul>
      {members === null ? <p className="soft">{words.noMembers}</p> : null}
    </section>
  );
}
