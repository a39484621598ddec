import type { UseQueryResult } from '@tanstack/react-query';
import type { Server, ServerDisk } from '../../../api/types.ts';
import { LoadProblem } from '../../../components/problem-note.tsx';
import { ExactTime } from '../../../components/time/exact-time.tsx';
import { useNow } from '../../../components/time/time.tsx';
import { number } from '../../../texts/format.ts';
import { Meter } from '../meter.tsx';
import { texts } from '../texts/texts.ts';
import { bytes, rate, roughly, share } from '../units.ts';
import { spaceOf } from './disk-space.ts';
import { Table } from './table.tsx';

interface DisksProps {
  server: Server;
  disks: Pick<UseQueryResult<ServerDisk[]>, 'data' | 'error'>;
}

/** The file systems, and when each will be full. */
export function Disks({ server, disks: { data, error } }: DisksProps) {
  const words = texts.disks;
  const { mount, used, free, inodes, io } = words.columns;
  const leftOut = server.inventory?.devices_left_out ?? 0;
  const isOld = server.status !== 'online';
  return (
    <section className="panel">
      <h2>{words.title}</h2>
      {data === undefined ? <LoadProblem error={error} /> : null}
      {data?.length === 0 ? <p className="soft">{words.none}</p> : null}
      {data === undefined || data.length === 0 ? null : (
        <Table
          title={words.title}
          columns={[
            { label: mount },
            { label: used },
            { label: free, isRight: true },
            { label: inodes, isRight: true },
            { label: io, isRight: true },
          ]}
          rows={data.map((disk) => ({ key: `${disk.mount} ${disk.device}`, cells: cellsOf(disk, isOld) }))}
        />
      )}
      {leftOut === 0 ? null : <p className="soft">{words.more(leftOut)}</p>}
    </section>
  );
}

function cellsOf(disk: ServerDisk, isOld: boolean) {
  const { mount, device, type, available_bytes, inodes_used_percent: inodes } = disk;
  return [
    <span key="mount" className="device">
      <bdi className="wrap strong">{mount}</bdi>
      <bdi className="wrap soft">{`${device} · ${type}`}</bdi>
    </span>,
    <span key="used" className="device device-meter">
      <Meter label={mount} percent={disk.used_percent} isOld={isOld} />
      <span className="soft">{spaceOf(disk)}</span>
      {disk.forecast === null ? null : <Full forecast={disk.forecast} />}
    </span>,
    bytes(available_bytes),
    inodes === null ? '–' : share(inodes),
    `${rateOf(disk.read_rate)} / ${rateOf(disk.write_rate)}`,
  ];
}

function Full({
  forecast: { full_at: at, points_per_hour: points },
}: {
  forecast: NonNullable<ServerDisk['forecast']>;
}) {
  const now = useNow();
  const words = texts.disks;
  return (
    <span className="device-full">
      <ExactTime at={at} className="tone-warning strong">
        {words.fullIn(roughly(Date.parse(at) - now))}
      </ExactTime>{' '}
      <span className="soft">{words.rate(number(points))}</span>
    </span>
  );
}

const rateOf = (value: number | null): string => (value === null ? '–' : rate(value));
