import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import { nextIndex } from '../../../components/chart/reading.ts';
import { LoadProblem } from '../../../components/problem-note.tsx';
import { Explained } from '../../../components/time/explained.tsx';
import { texts } from '../../../texts/app/texts.ts';
import { percent } from '../../../texts/format.ts';
import { currentLocale } from '../../../texts/language.ts';
import { type Day, daysOf, firstDayMs } from './days.ts';
import { uptimeHoursQuery } from './queries.ts';
import { words } from './texts/texts.ts';

const DAYS = 90;
const dayFormat = new Intl.DateTimeFormat(currentLocale(), { weekday: 'short', day: 'numeric', month: 'short' });

/** A bar for each of the last 90 days, with how much of the day was observed. */
export function UptimeDays({ id }: { id: string }) {
  const [fromMs] = useState(() => firstDayMs(Date.now(), DAYS));
  const { data: hours, error, dataUpdatedAt } = useQuery(uptimeHoursQuery(id, fromMs));
  const days = useMemo(() => daysOf(hours ?? [], dataUpdatedAt || Date.now(), DAYS), [hours, dataUpdatedAt]);
  const [at, setAt] = useState<number | null>(null);
  const [isTable, setTable] = useState(false);
  const hint = useId();
  const [spoken, setSpoken] = useState('');
  const summary = hours === undefined ? '' : sentence(days);
  const read = (event: KeyboardEvent) => {
    const index = nextIndex(event.key, { shown: [0, days.length], at });
    const found = days[index ?? -1];
    if (index === null || found === undefined) return;
    event.preventDefault();
    setAt(index);
    setSpoken(daySentence(found));
  };
  const day = at === null ? undefined : days[at];
  return (
    <section className="panel days">
      <h2>{words.days.title}</h2>
      <LoadProblem error={error} />
      <p className="days-at">{day === undefined ? summary : daySentence(day)}</p>
      <div
        {...{ className: 'days-reader', role: 'application', tabIndex: 0, onKeyDown: read, onBlur: () => setAt(null) }}
        {...{ 'aria-label': summary, 'aria-describedby': hint }}
      >
        <Bars {...{ days, at, setAt }} />
      </div>
      <p id={hint} className="only-spoken">
        {words.days.hint}
      </p>
      <p className="only-spoken" role="status">
        {spoken}
      </p>
      <p className="days-foot soft">
        <span>{words.days.ago}</span>
        <span>{words.days.today}</span>
      </p>
      <div>
        <button type="button" className="link" aria-expanded={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? words.days.hideTable : words.days.showTable}
        </button>
      </div>
      {isTable ? <DayTable days={days} /> : null}
    </section>
  );
}

interface BarsProps {
  days: readonly Day[];
  at: number | null;
  setAt(index: number | null): void;
}

/** Days without an outage are full, days with one have a red foot, and days that were not observed are short. */
function Bars({ days, at, setAt }: BarsProps) {
  const find = ({ clientX, currentTarget }: { clientX: number; currentTarget: Element }) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setAt(Math.min(days.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * days.length))));
  };
  return (
    <svg
      aria-hidden="true"
      {...{ className: 'days-bars', viewBox: `0 0 ${days.length * 4} 40`, preserveAspectRatio: 'none' }}
      {...{ onPointerMove: find, onPointerDown: find, onPointerLeave: () => setAt(null) }}
    >
      {days.map((day, index) => (
        <g key={day.fromMs} className={index === at ? 'days-here' : undefined}>
          <Bar day={day} x={index * 4} />
        </g>
      ))}
    </svg>
  );
}

const HEIGHT = 40;
const NOT_OBSERVED = 6;
/** An outage of a minute is still seen. */
const OUTAGE_MIN = 10;

function Bar({ day: { uptime }, x }: { day: Day; x: number }) {
  if (uptime === null)
    return <rect x={x} y={HEIGHT - NOT_OBSERVED} width="3" height={NOT_OBSERVED} className="days-none" />;
  const down = uptime === 100 ? 0 : Math.max(OUTAGE_MIN, ((100 - uptime) / 100) * HEIGHT);
  return (
    <>
      <rect x={x} y="0" width="3" height={HEIGHT - down} className="days-up" />
      {down === 0 ? null : <rect x={x} y={HEIGHT - down} width="3" height={down} className="days-down" />}
    </>
  );
}

function DayTable({ days }: { days: readonly Day[] }) {
  const { day, uptime, observed } = words.days.columns;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="table-scroll days-table" tabIndex={0} aria-label={words.days.title}>
      <table>
        <thead>
          <tr>
            <th scope="col">{day}</th>
            <th scope="col" className="right">
              {uptime}
            </th>
            <th scope="col" className="right">
              <Explained text={texts.monitor.observedHelp}>{observed}</Explained>
            </th>
          </tr>
        </thead>
        <tbody>
          {[...days].reverse().map((one) => (
            <tr key={one.fromMs}>
              <th scope="row">{dayFormat.format(one.fromMs)}</th>
              <td className="right">{one.uptime === null ? '–' : percent(one.uptime)}</td>
              <td className="right">{percent(one.observed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const daySentence = (day: Day): string => `${dayFormat.format(day.fromMs)}: ${dayText(day)}`;

function dayText({ uptime, observed }: Day): string {
  return uptime === null ? words.days.none : words.days.day(percent(uptime), percent(observed));
}

function sentence(days: readonly Day[]): string {
  const missing = days.filter(({ uptime }) => uptime === null).length;
  const clean = days.filter(({ uptime }) => uptime === 100).length;
  return words.days.sentence(clean, days.length - clean - missing, missing);
}
