import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { apiPath } from '../../../api/path.ts';
import type { Probe } from '../../../api/types.ts';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { Mark } from '../../../components/status-mark.tsx';
import { Since } from '../../../components/time/time.tsx';
import { toast } from '../../../components/toasts.tsx';
import { duration, milliseconds } from '../../../texts/format.ts';
import { texts } from '../texts/texts.ts';
import { isLate, PROBE_MARKS } from './order.ts';

const words = texts.probes;

/** A probe: where it is, how it does, and what can be done with it. */
export function ProbeRow({ probe, city }: { probe: Probe; city: string }) {
  const { hostname, version, state, last_seen_at: seen } = probe;
  return (
    <>
      <div className="row-main">
        <p className="operator-name">
          <Mark as={PROBE_MARKS[state]} word={words.states[state]} quiet={false} />
          <bdi className="strong two-lines">{hostname}</bdi>
          <bdi className="wrap">{city}</bdi>
        </p>
        <p className="row-detail wrap">
          {words.version(version)} · {seen === null ? words.neverSeen : <Since at={seen} wrap={words.seen} />}
          {workOf(probe).map((part) => ` · ${part}`)}
        </p>
        <p className="row-detail mono wrap">{probe.id}</p>
        {problemsOf(probe).map((problem) => (
          <p key={problem} className="tone-warning">
            {problem}
          </p>
        ))}
      </div>
      {state === 'revoked' ? null : <Actions probe={probe} />}
    </>
  );
}

function workOf(probe: Probe): string[] {
  const { assignments, spool_records: spooled, schedule_lateness: late } = probe;
  return [
    ...(assignments === null ? [] : [words.assignments(assignments)]),
    ...(spooled === null ? [] : [spoolOf(probe, spooled)]),
    ...(late === null ? [] : [words.late(milliseconds(late.p99_ms))]),
  ];
}

function spoolOf(probe: Probe, count: number): string {
  if (count === 0) return words.spoolEmpty;
  return isLate(probe) ? words.spool(count, duration(probe.lag_ms ?? 0)) : words.onTheirWay(count);
}

function problemsOf({ canary_ok, dropped_total: dropped }: Probe): string[] {
  return [
    ...(canary_ok === false ? [words.canariesFail] : []),
    ...(dropped === null || dropped === 0 ? [] : [words.dropped(dropped)]),
  ];
}

function Actions({ probe: { id, hostname, state } }: { probe: Probe }) {
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: ['probes'] });
  const path = apiPath`/v1/admin/probes/${id}`;
  const isDrained = state === 'drained';
  const drain = useMutation({
    mutationFn: (drained: boolean) => call('PATCH', path, { drained }),
    onSuccess: (_answer, drained) =>
      drained ? toast({ text: words.drained(hostname), undo: () => drain.mutate(false) }) : undefined,
    onSettled: refresh,
  });
  const revoke = useMutation({
    mutationFn: () => call('DELETE', path),
    onSuccess: () => toast({ text: words.revoked(hostname), undo: null }),
    onSettled: refresh,
  });
  return (
    <div className="page-actions">
      <Button variant="default" loading={drain.isPending} onClick={() => drain.mutate(!isDrained)}>
        {isDrained ? words.undrain : words.drain}
      </Button>
      <ConfirmButton label={words.revoke} title={words.revokeTitle(hostname)} action={revoke}>
        {words.revokeText}
      </ConfirmButton>
      <ActionProblem error={drain.error} />
    </div>
  );
}
