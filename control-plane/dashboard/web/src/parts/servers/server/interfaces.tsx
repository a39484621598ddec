import { useQuery } from '@tanstack/react-query';
import type { ServerInterface } from '../../../api/types.ts';
import { LoadProblem } from '../../../components/problem-note.tsx';
import { Mark } from '../../../components/status-mark.tsx';
import { interfacesQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';
import { rate } from '../units.ts';
import { Table } from './table.tsx';

export function Interfaces({ id }: { id: string }) {
  const { data, error } = useQuery(interfacesQuery(id));
  const words = texts.network;
  const { name, state, addresses, speed, rate: traffic } = words.columns;
  return (
    <section className="panel">
      <h2>{words.title}</h2>
      {data === undefined ? <LoadProblem error={error} /> : null}
      {data?.length === 0 ? <p className="soft">{words.none}</p> : null}
      {data === undefined || data.length === 0 ? null : (
        <Table
          title={words.title}
          columns={[
            { label: name },
            { label: state },
            { label: addresses },
            { label: speed, isRight: true },
            { label: traffic, isRight: true },
          ]}
          rows={data.map((one) => ({ key: one.name, cells: cellsOf(one) }))}
        />
      )}
    </section>
  );
}

function cellsOf({ name, mac, addresses, speed_mbps, up, bytes_recv_rate, bytes_sent_rate }: ServerInterface) {
  const words = texts.network;
  return [
    <span key="name" className="device">
      <bdi className="wrap strong">{name}</bdi>
      {mac === null ? null : <span className="soft mono">{mac}</span>}
    </span>,
    // An interface that is down is often one that nobody uses.
    <Mark key="state" as={up ? 'up' : 'unknown'} word={up ? words.up : words.down} quiet={false} />,
    <span key="addresses" className="device">
      {addresses.map((address) => (
        <span key={address} className="wrap">
          {address}
        </span>
      ))}
    </span>,
    speed_mbps === null ? '–' : words.speed(speed_mbps),
    `${rateOf(bytes_recv_rate)} / ${rateOf(bytes_sent_rate)}`,
  ];
}

const rateOf = (value: number | null): string => (value === null ? '–' : rate(value));
