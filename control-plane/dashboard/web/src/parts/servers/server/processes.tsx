import { Button, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem } from '../../../api/client.ts';
import type { Processes, Server } from '../../../api/types.ts';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { Said } from '../../../components/said.tsx';
import { Time } from '../../../components/time/time.tsx';
import { processesQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';
import { bytes, share } from '../units.ts';
import { Table } from './table.tsx';

const ORDERS = ['cpu', 'memory'] as const;

/** The busiest processes. The agent is asked only on demand. */
export function ProcessList({ server: { id, status } }: { server: Server }) {
  const { data, error, isFetching, refetch } = useQuery(processesQuery(id));
  const words = texts.processes;
  const isOffline = status !== 'online';
  return (
    <section className="panel processes">
      <h2>{words.title}</h2>
      {data === undefined ? <p className="soft">{isOffline ? words.offline : words.lead}</p> : null}
      {error instanceof ApiProblem && error.status === 409 ? (
        <p className="note bad" role="alert">
          {words.failed}
        </p>
      ) : (
        <ActionProblem error={error} />
      )}
      {data === undefined ? null : <Sampled processes={data} />}
      {isOffline ? null : (
        <div className="page-actions">
          <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
            {data === undefined ? words.show : words.again}
          </Button>
        </div>
      )}
    </section>
  );
}

function Sampled({ processes }: { processes: Processes }) {
  const [order, setOrder] = useState<(typeof ORDERS)[number]>('cpu');
  const words = texts.processes;
  const { name, user, cpu, memory, started } = words.columns;
  return (
    <>
      <SegmentedControl
        {...{ value: order, transitionDuration: 0, 'aria-label': words.sort }}
        onChange={(value) => setOrder(ORDERS.find((one) => one === value) ?? 'cpu')}
        data={ORDERS.map((value) => ({ value, label: words.by[value] }))}
      />
      <p className="soft">
        <Said words={(time) => words.sampled(time(processes.sampled_at, 'second'), processes.total)} />
      </p>
      <Table
        title={words.title}
        columns={[
          { label: name },
          { label: cpu, isRight: true, title: words.cpuMeaning },
          { label: memory, isRight: true },
          { label: user },
          { label: started },
        ]}
        rows={processes[order === 'cpu' ? 'by_cpu' : 'by_memory'].map((one) => ({
          key: String(one.pid),
          cells: [
            <span key="name" className="device">
              <bdi className="wrap strong">{one.name}</bdi>
              <span className="soft">{one.pid}</span>
            </span>,
            share(one.cpu_percent),
            bytes(one.memory_bytes),
            <bdi key="user" className="wrap">
              {one.user}
            </bdi>,
            one.started_at === null ? '–' : <Time key="started" at={one.started_at} />,
          ],
        }))}
      />
    </>
  );
}
