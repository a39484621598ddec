import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { billingQuery, locationsQuery } from '../../../../api/queries.ts';
import { texts as app } from '../../../../texts/app/texts.ts';
import { milliseconds, number } from '../../../../texts/format.ts';
import { channelsQuery } from '../../edit/channels-query.ts';
import { words } from '../../edit/texts/texts.ts';
import { INTERVALS_S } from '../../intervals.ts';
import { texts } from '../texts/texts.ts';
import { Choice, TextChoice } from './choice.tsx';
import type { ChoicesProps } from './choices-props.ts';
import { type Edited, hasRequest, problemsOf, settingsOf, withField } from './edited.ts';
import { ListChoice } from './list-choice.tsx';
import type { Operation } from './order.ts';
import { RequestChoices } from './request-choices.tsx';
import '../../edit/edit.css';

const RETRIES = [0, 1, 2, 3, 4, 5];
const CONFIRMATIONS = [1, 2, 3, 4, 5];
const TIMEOUTS_MS = [1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000];
const URL_CHARS_MAX = 2_048;

interface EditFormProps {
  /** What was chosen before somebody came back from the difference. */
  start: Edited;
  choose(operation: Operation, edited: Edited): void;
  cancel(): void;
}

/** The settings that can be the same for many monitors. Those that nobody chose do not change. */
export function EditForm({ start, choose, cancel }: EditFormProps) {
  const [edited, setEdited] = useState<Edited>(start);
  const [problems, setProblems] = useState<ChoicesProps['problems']>({});
  const [isMissing, setMissing] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const set = settingsOf(edited);
    const wrong = problemsOf(edited);
    setProblems(wrong);
    setMissing(set === null);
    if (Object.keys(wrong).length > 0) {
      requestAnimationFrame(() => element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
    } else if (set !== null) choose({ operation: 'set', set }, edited);
  };
  const props: ChoicesProps = {
    ...{ edited, problems },
    change(field, value) {
      setEdited(withField(edited, field, value));
      setProblems({});
      setMissing(false);
    },
  };
  return (
    <form ref={element} className="stack" onSubmit={submit} noValidate>
      <p>{texts.form.lead}</p>
      <div className="bulk-fields">
        <CheckChoices {...props} />
        <AlertChoices {...props} />
      </div>
      <details open={hasRequest(start)}>
        <summary>{texts.form.request}</summary>
        <p className="soft">{texts.form.requestHelp}</p>
        <div className="bulk-fields">
          <RequestChoices {...props} />
        </div>
      </details>
      {isMissing ? (
        <p className="note bad" role="alert">
          {texts.form.nothing}
        </p>
      ) : null}
      <div className="page-actions">
        <Button type="submit">{texts.form.next}</Button>
        <Button variant="default" onClick={cancel}>
          {app.dialog.cancel}
        </Button>
      </div>
    </form>
  );
}

const options = <Value extends number>(values: readonly Value[], label: (value: Value) => string) =>
  values.map((value) => ({ value, label: label(value) }));

/** How often monitors are checked, and from where. */
function CheckChoices({ edited, problems, change }: ChoicesProps) {
  const shortest = useQuery(billingQuery).data?.intervals.interval_seconds_min ?? 0;
  const locations = useQuery(locationsQuery).data ?? [];
  const intervals = INTERVALS_S.filter((seconds) => seconds >= shortest);
  return (
    <>
      <Choice
        {...{ name: 'interval_seconds', label: texts.form.interval, value: edited.interval_seconds }}
        options={options(intervals, app.seconds)}
        change={(value) => change('interval_seconds', value)}
      />
      <Choice
        {...{ name: 'timeout_ms', label: texts.form.timeout, value: edited.timeout_ms }}
        options={options(TIMEOUTS_MS, milliseconds)}
        change={(value) => change('timeout_ms', value)}
      />
      <ListChoice
        {...{ name: 'locations', label: words.labels['locations'] ?? '', value: edited.locations, every: null }}
        options={locations.map(({ code, city }) => ({ value: code, label: `${city} (${code})` }))}
        note={problems.locations === undefined ? undefined : words.missing.locations}
        change={(value) => change('locations', value ?? undefined)}
      />
    </>
  );
}

/** When monitors alert, and whom they notify. */
function AlertChoices({ edited, problems, change }: ChoicesProps) {
  const channels = useQuery(channelsQuery).data ?? [];
  return (
    <>
      <Choice
        {...{ name: 'retries', label: texts.form.retries, value: edited.retries }}
        options={options(RETRIES, number)}
        change={(value) => change('retries', value)}
      />
      <Choice<number | null>
        {...{ name: 'confirmations', label: texts.form.confirmations, value: edited.confirmations }}
        options={[{ value: null, label: texts.form.majority }, ...options(CONFIRMATIONS, number)]}
        change={(value) => change('confirmations', value)}
      />
      <ListChoice
        {...{ name: 'channels', label: words.labels['channels'] ?? '', value: edited.channels }}
        every={words.everyChannel}
        options={channels.map(({ id, name }) => ({ value: id, label: name }))}
        note={edited.channels?.length === 0 ? words.noChannel : undefined}
        change={(value) => change('channels', value)}
      />
      <TextChoice
        {...{ name: 'runbook_url', label: words.labels['runbook_url'] ?? '', value: edited.runbook_url }}
        {...{ none: texts.values.nothing, maxLength: URL_CHARS_MAX }}
        error={problems.runbook_url === undefined ? undefined : texts.form.missing}
        change={(value) => change('runbook_url', value)}
      />
    </>
  );
}
