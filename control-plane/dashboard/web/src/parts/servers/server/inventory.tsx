import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Server } from '../../../api/types.ts';
import { Time } from '../../../components/time/time.tsx';
import { duration } from '../../../texts/format.ts';
import { texts } from '../texts/texts.ts';
import { bytes } from '../units.ts';

/** What the server is. */
export function Inventory({ server }: { server: Server }) {
  const { hostname, ip, os, kernel, inventory, agent_version, report_interval_seconds, tags, reports_dropped } = server;
  const words = texts.inventory;
  const dropped = reports_dropped.too_old + reports_dropped.values + reports_dropped.on_server;
  const every = duration(report_interval_seconds * 1_000);
  const facts: [string, ReactNode][] = [
    [words.hostname, hostname],
    [words.ip, ip ?? words.unknown],
    [words.os, os ?? words.unknown],
    [words.kernel, kernel ?? words.unknown],
    ...(inventory === null ? [] : machineFacts(inventory)),
    [words.agent, words.agentEvery(agent_version, every)],
    ...(tags.length === 0 ? [] : [[words.tags, <Tags key="tags" tags={tags} />] as [string, ReactNode]]),
    [words.added, <Time key="added" at={server.created_at} />],
  ];
  return (
    <section className="panel">
      <h2>{words.title}</h2>
      <dl className="facts">
        {facts.map(([label, value]) => (
          <div key={label} className="server-fact">
            <dt>{label}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {dropped === 0 ? null : <p className="note server-dropped">{texts.one.dropped(dropped)}</p>}
    </section>
  );
}

function machineFacts(inventory: NonNullable<Server['inventory']>): [string, ReactNode][] {
  const words = texts.inventory;
  const { cpu_model, cpu_cores, architecture, memory_bytes, swap_bytes, virtualization, booted_at } = inventory;
  return [
    [words.cpu, words.cpuOf(cpu_model, texts.now.cores(cpu_cores))],
    [words.architecture, architecture],
    [words.memory, bytes(memory_bytes)],
    ...(swap_bytes === 0 ? [] : [[words.swap, bytes(swap_bytes)] as [string, ReactNode]]),
    ...(virtualization === null ? [] : [[words.virtualization, virtualization] as [string, ReactNode]]),
    ...(booted_at === null ? [] : [[words.booted, <Time key="booted" at={booted_at} />] as [string, ReactNode]]),
  ];
}

/** A tag leads to the servers that have it. */
function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <span className="server-tags">
      {tags.map((tag) => (
        <Link key={tag} to="/servers" search={{ tag }}>
          <bdi className="wrap">{tag}</bdi>
        </Link>
      ))}
    </span>
  );
}
