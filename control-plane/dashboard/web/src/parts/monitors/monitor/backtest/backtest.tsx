import { Button, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Backtest, Monitor } from '../../../../api/types.ts';
import { useMayWrite } from '../../../../app/account.ts';
import { ActionProblem, LoadProblem } from '../../../../components/problem-note.tsx';
import { texts } from '../../../../texts/app/texts.ts';
import { number } from '../../../../texts/format.ts';
import { INTERVALS_S } from '../../intervals.ts';
import { backtestQuery } from '../queries.ts';
import { words } from '../texts/texts.ts';
import { neededVotes } from '../why.ts';
import { BacktestAlerts } from './backtest-alerts.tsx';
import { compareAlerts } from './backtest-match.ts';
import { Slider } from './slider.tsx';
import { useSettingsChange } from './use-settings-change.ts';

const PERIODS_DAYS = [1, 7, 14, 30];
const PERIOD_DAYS_DEFAULT = 7;
const DAY_MS = 86_400_000;
const RETRIES_MAX = 5;
/** The longest interval that a replay compares. */
const INTERVAL_S_MAX = 3_600;
/** While a slider moves, nothing is asked. */
const SETTLE_MS = 150;

type Tried = Pick<Monitor, 'confirmations' | 'retries' | 'interval_seconds'>;

/** What other settings would have alerted about. It loads when somebody asks for it, because it replays many results. */
export function BacktestPanel({ monitor }: { monitor: Monitor }) {
  const [isAsked, setAsked] = useState(false);
  // A link to it asks for it, and another link on the page must not close it.
  const isLinked = useLocation({ select: ({ hash }) => hash === 'backtest' });
  if (isLinked && !isAsked) setAsked(true);
  return (
    <section className="panel section backtest" id="backtest" tabIndex={-1}>
      <h2>{words.backtest.title}</h2>
      <p className="soft">{words.backtest.lead}</p>
      {isAsked ? (
        <Trial monitor={monitor} />
      ) : (
        <div>
          <Button variant="default" onClick={() => setAsked(true)}>
            {words.backtest.open}
          </Button>
        </div>
      )}
    </section>
  );
}

function Trial({ monitor }: { monitor: Monitor }) {
  const { confirmations, retries, interval_seconds } = monitor;
  const [tried, setTried] = useState<Tried>({ confirmations, retries, interval_seconds });
  const [days, setDays] = useState(PERIOD_DAYS_DEFAULT);
  const [to] = useState(() => Date.now());
  const settled = useSettled(tried);
  const range = { from: new Date(to - days * DAY_MS).toISOString(), to: new Date(to).toISOString() };
  const { data, error, isFetching, refetch } = useQuery(backtestQuery(monitor.id, { ...range, ...settled }));
  const needed = neededVotes({ ...monitor, confirmations: tried.confirmations, limited_by_plan: null });
  const text = words.backtest;
  return (
    <>
      <div className="backtest-sliders">
        <Slider
          {...{ label: text.confirmations, min: 1, max: monitor.locations.length, value: needed }}
          shown={tried.confirmations === null ? text.majority(needed) : number(needed)}
          onChange={(value) => setTried({ ...tried, confirmations: value })}
        />
        <Slider
          {...{ label: text.retries, min: 0, max: RETRIES_MAX, value: tried.retries, shown: number(tried.retries) }}
          onChange={(value) => setTried({ ...tried, retries: value })}
        />
        <IntervalSlider {...{ monitor, tried, setTried }} />
        <NativeSelect
          label={text.period}
          value={String(days)}
          onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}
          data={PERIODS_DAYS.map((count) => ({ value: String(count), label: text.days(count) }))}
        />
      </div>
      {error === null ? null : (
        <>
          <LoadProblem error={error} />
          <div>
            <Button variant="default" onClick={() => void refetch()} loading={isFetching}>
              {texts.problem.tryAgain}
            </Button>
          </div>
        </>
      )}
      {error !== null ? null : data === undefined ? (
        <p className="late soft" role="status">
          {text.running}
        </p>
      ) : (
        <Outcome {...{ monitor, tried, data, isFetching }} />
      )}
    </>
  );
}

interface IntervalSliderProps {
  monitor: Monitor;
  tried: Tried;
  setTried(tried: Tried): void;
}

/** Longer intervals only: checks that were not made cannot be replayed. */
function IntervalSlider({ monitor, tried, setTried }: IntervalSliderProps) {
  const { interval_seconds: current } = monitor;
  const choices = [current, ...INTERVALS_S.filter((seconds) => seconds > current && seconds <= INTERVAL_S_MAX)];
  return (
    <Slider
      {...{ label: words.backtest.interval, min: 0, max: choices.length - 1 }}
      value={choices.indexOf(tried.interval_seconds)}
      shown={texts.seconds(tried.interval_seconds)}
      onChange={(index) => setTried({ ...tried, interval_seconds: choices[index] ?? current })}
    />
  );
}

interface OutcomeProps {
  monitor: Monitor;
  tried: Tried;
  data: Backtest;
  isFetching: boolean;
}

function Outcome({ monitor, tried, data, isFetching }: OutcomeProps) {
  const mayWrite = useMayWrite();
  const change = useSettingsChange(monitor);
  const text = words.backtest;
  const alerts = compareAlerts(data);
  const count = (fate: string) => alerts.filter((alert) => alert.fate === fate).length;
  const [kept, added] = [count('kept'), count('added')];
  // While the next answer is on its way, the sentence says what this one is of.
  const { confirmations, retries, interval_seconds: every } = data.settings;
  const needed = neededVotes({ ...monitor, confirmations, limited_by_plan: null });
  const settings = text.settings(needed, retries, texts.seconds(every));
  const isSame = (['confirmations', 'retries', 'interval_seconds'] as const).every(
    (name) => tried[name] === monitor[name],
  );
  return (
    <div className="stack" aria-busy={isFetching}>
      <p className="backtest-sentence" role="status">
        {alerts.length === 0 ? text.nothing : text.sentence(settings, kept, data.were.length)}{' '}
        {added === 0 ? null : text.added(added)} {isSame ? <span className="soft">{text.same}</span> : null}
      </p>
      {alerts.length === 0 ? null : <BacktestAlerts alerts={alerts} />}
      <p className="soft">{text.read(number(data.results_used))}</p>
      <ActionProblem error={change.error} />
      {mayWrite && !isSame ? (
        <div>
          <Button
            disabled={isFetching}
            loading={change.isPending}
            onClick={() => change.mutate({ patch: tried, text: text.used(monitor.name) })}
          >
            {text.use}
          </Button>
        </div>
      ) : null}
      {data.notes.length === 0 ? null : (
        <details>
          <summary>{text.notes}</summary>
          <ul lang="en">
            {data.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** Returns the value once it has not changed for a moment. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
