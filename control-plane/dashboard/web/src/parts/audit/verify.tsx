import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiProblem } from '../../api/client.ts';
import { read } from '../../api/read.ts';
import type { AuditVerification, One } from '../../api/types.ts';
import { ActionProblem } from '../../components/problem-note.tsx';
import { Time } from '../../components/time/time.tsx';
import { duration } from '../../texts/format.ts';
import { texts } from './texts/texts.ts';

/** Verifies the whole log, part by part. Leaving the page ends it. */
export function Verify() {
  const words = texts.chain.verify;
  const [part, setPart] = useState<AuditVerification | null>(null);
  const [waitS, setWaitS] = useState(0);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const verify = useMutation({
    meta: { saysItself: true },
    mutationFn: async () => {
      stop.current = new AbortController();
      for (let cursor: string | null = ''; cursor !== null; ) {
        const data = await readPart(cursor, stop.current.signal, setWaitS);
        setPart(data);
        cursor = data.next_cursor;
      }
    },
  });
  return (
    <>
      <p>{words.lead}</p>
      <div>
        <Button variant="default" loading={verify.isPending} onClick={() => verify.mutate()}>
          {words.button}
        </Button>
      </div>
      <p role="status">
        {part === null ? null : <Outcome part={part} />} {waitS === 0 ? null : words.waiting(duration(waitS * 1_000))}
      </p>
      <ActionProblem error={verify.error} />
    </>
  );
}

/** Reads the next part. Of a long log, parts have to wait until the workspace may have more verified. */
async function readPart(
  cursor: string,
  signal: AbortSignal,
  waits: (seconds: number) => void,
): Promise<AuditVerification> {
  for (;;) {
    try {
      return (await read<One<AuditVerification>>('/v1/audit-logs/verification', { cursor }, signal)).data;
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.status !== 429 || error.retryAfterS === null) throw error;
      waits(error.retryAfterS);
      await pause(error.retryAfterS, signal);
      waits(0);
    }
  }
}

/** Resolves early when the signal is aborted, which ends the next read. */
function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1_000);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

function Outcome({ part: { status, verified, total, verified_to: to, problem } }: { part: AuditVerification }) {
  const words = texts.chain.verify;
  if (status === 'verifying') return words.progress(verified, total);
  if (problem === null) {
    return (
      <span className="tone-up">
        {words.intact(verified)} {to === null ? null : <Time at={to} />}
      </span>
    );
  }
  const { kind, entry_id: id, timestamp: at } = problem;
  return (
    <span className="tone-down">
      <strong>{words.problems[kind]}</strong> {id === null ? null : <code className="mono wrap">{id}</code>}{' '}
      {at === null ? null : <Time at={at} />} {words.next}
    </span>
  );
}
