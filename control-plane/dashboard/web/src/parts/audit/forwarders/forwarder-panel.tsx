import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call } from '../../../api/client.ts';
import { apiPath } from '../../../api/path.ts';
import type { Forwarder, ForwarderTest, One } from '../../../api/types.ts';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { FactList } from '../../../components/page/fact-list.tsx';
import { ActionProblem } from '../../../components/problem-note.tsx';
import { StatusMark } from '../../../components/status-mark.tsx';
import { Time } from '../../../components/time/time.tsx';
import { toast } from '../../../components/toasts.tsx';
import { deliveryErrorText } from '../../../texts/delivery-errors/delivery-error.ts';
import { duration, milliseconds } from '../../../texts/format.ts';
import { sentence } from '../../../texts/sentence.ts';
import { texts as auditTexts } from '../texts/texts.ts';
import { EditForwarder } from './edit-forwarder.tsx';

const texts = auditTexts.forwarders;
const MARKS = { active: 'up', paused: 'paused', failing: 'down' } as const;
/** A receiver that is this far behind is not just between two deliveries. */
const BEHIND_S = 30;

/** One forwarder: its state, how far it has come, and what can be done with it. */
export function ForwarderPanel({ forwarder, mayManage }: { forwarder: Forwarder; mayManage: boolean }) {
  const [isEditing, setEditing] = useState(false);
  const { name, state, last_error: error } = forwarder;
  return (
    <section className="panel forwarder" aria-label={name}>
      <h2 className="forwarder-name">
        <StatusMark state={MARKS[state]} quiet />
        <bdi className="wrap">{name}</bdi>
        <span className="soft">{texts.states[state]}</span>
      </h2>
      {state === 'failing' && error !== null ? <p className="note bad">{sentence(deliveryErrorText(error))}</p> : null}
      {isEditing ? (
        <EditForwarder forwarder={forwarder} close={() => setEditing(false)} />
      ) : (
        <>
          <Facts forwarder={forwarder} />
          {mayManage ? <Actions forwarder={forwarder} edit={() => setEditing(true)} /> : null}
        </>
      )}
    </section>
  );
}

function Facts({ forwarder }: { forwarder: Forwarder }) {
  const { target, format, filter, lag, delivered, last_success_at: success, next_attempt_at: next } = forwarder;
  const isBehind = lag.events > 0;
  const facts: [string, ReactNode][] = [
    [
      texts.lag,
      <span key="lag" className={lag.seconds > BEHIND_S ? 'tone-warning' : ''}>
        {isBehind ? texts.lagText(lag.events, duration(lag.seconds * 1_000)) : texts.upToDate}
      </span>,
    ],
    [
      texts.facts.target,
      <bdi key="target" className="mono wrap">
        {target}
      </bdi>,
    ],
    [texts.facts.format, texts.formats[format]],
    [texts.facts.filter, filter.severity?.map((one) => texts.severities[one]).join(', ') ?? texts.allEntries],
    [texts.facts.delivered, texts.delivered(delivered)],
    [texts.facts.success, success === null ? texts.never : <Time key="success" at={success} />],
    ...(forwarder.state !== 'failing' || next === null
      ? []
      : [[texts.facts.next, <Time key="next" at={next} />] as [string, ReactNode]]),
  ];
  return <FactList facts={facts} />;
}

function Actions({ forwarder, edit }: { forwarder: Forwarder; edit(): void }) {
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: ['forwarders'] });
  const path = apiPath`/v1/audit-logs/forwarders/${forwarder.id}`;
  const pause = useMutation({
    mutationFn: () => call('PATCH', path, { paused: !forwarder.paused }),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: () => call('DELETE', path),
    onSuccess: () => toast({ text: texts.deleted(forwarder.name), undo: null }),
    onSettled: refresh,
  });
  const test = useMutation({
    mutationFn: async () => (await call<One<ForwarderTest>>('POST', `${path}/test`)).data,
    onSettled: refresh,
  });
  return (
    <>
      <div className="page-actions forwarder-actions">
        <Button variant="default" onClick={() => test.mutate()} loading={test.isPending}>
          {texts.test}
        </Button>
        <Button variant="default" onClick={() => pause.mutate()} loading={pause.isPending}>
          {forwarder.paused ? texts.resume : texts.pause}
        </Button>
        <Button variant="default" onClick={edit}>
          {texts.edit}
        </Button>
        <ConfirmButton label={texts.delete} title={texts.deleteTitle(forwarder.name)} action={remove}>
          {texts.deleteText}
        </ConfirmButton>
      </div>
      <div role="status">{test.data === undefined ? null : <TestResult result={test.data} />}</div>
      <ActionProblem error={pause.error ?? test.error} />
    </>
  );
}

function TestResult({ result }: { result: ForwarderTest }) {
  const { status, error, response_status: response, duration_ms } = result;
  return (
    <p className={`note ${status === 'sent' ? 'good' : 'bad'} forwarder-test`}>
      {status === 'sent'
        ? texts.testSent(milliseconds(duration_ms), response)
        : texts.testFailed(deliveryErrorText(error ?? '').replace(/[^.]$/, '$&.'))}
    </p>
  );
}
