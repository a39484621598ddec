import type { InstallationHealth } from '../../../api/types.ts';
import { Said } from '../../../components/said.tsx';
import { milliseconds } from '../../../texts/format.ts';
import { texts } from '../texts/texts.ts';
import { Line } from './line.tsx';

const words = texts.health;
type ControlPlane = InstallationHealth['control_planes'][number];

/** The control planes of the last hour, those heard last first. */
export function ControlPlanes({ planes }: { planes: readonly ControlPlane[] }) {
  return (
    <section className="panel">
      <h2>{words.controlPlanes}</h2>
      <ul className="rows" aria-label={words.controlPlanes}>
        {planes.map((plane) => (
          <Line key={plane.id} ok={plane.ok}>
            <p className="strong">
              {words.plane(plane.version)} <span className="soft mono">{plane.id}</span>
            </p>
            <State plane={plane} />
          </Line>
        ))}
      </ul>
    </section>
  );
}

function State({ plane }: { plane: ControlPlane }) {
  const { state, started_at, seen_at, clock_offset_ms: offset, event_streams, node_streams, tasks } = plane;
  if (state !== 'running') {
    const end = state === 'lost' ? words.lostSince : words.stoppedAt;
    return (
      <p className="row-detail">
        <Said words={(time) => end(time(seen_at))} />
      </p>
    );
  }
  return (
    <>
      <p className="row-detail">
        <Said words={(time) => words.runsSince(time(started_at), time(seen_at))} />{' '}
        {words.streams(event_streams, node_streams)}
      </p>
      <p className="row-detail">{words.clock(milliseconds(Math.abs(offset)), Math.sign(offset))}</p>
      <div className="row-detail">
        <p>{words.tasks(tasks)}</p>
        {tasks.length === 0 ? null : (
          <details>
            <summary>{words.taskNames}</summary>
            <p className="mono wrap">{tasks.join(', ')}</p>
          </details>
        )}
      </div>
    </>
  );
}
