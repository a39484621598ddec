import type { ReactNode } from 'react';
import type { BlacklistMonitor } from '../../../api/types.ts';
import { Since, Time } from '../../../components/time/time.tsx';
import { number } from '../../../texts/format.ts';
import { texts } from '../texts/texts.ts';

/** The result of the last check in numbers. `children` is the choice of how often it is checked. */
export function Figures({ monitor, children }: { monitor: BlacklistMonitor; children: ReactNode }) {
  const { score, rating, listed, responding, asked, last_checked_at, next_check_at } = monitor;
  const words = texts.one;
  const figures: { label: string; value: ReactNode; help: ReactNode }[] = [
    {
      label: words.score,
      value: score === null ? '–' : texts.score(score),
      help:
        score === null || rating === null || rating === 'unresolvable' ? words.scoreHelp.none : words.scoreHelp[rating],
    },
    { label: words.listedOn, value: listed === null ? '–' : number(listed), help: words.listedHelp },
    {
      label: words.answered,
      value: responding === null ? '–' : number(responding),
      help: asked === null ? '' : words.answeredHelp(asked),
    },
    {
      label: words.checked,
      value: last_checked_at === null ? words.never : <Since at={last_checked_at} wrap={texts.ago} />,
      help: (
        <>
          {words.next('')}
          <Time at={next_check_at} />
        </>
      ),
    },
  ];
  return (
    <section className="panel" aria-label={words.figures}>
      <dl className="blacklist-figures">
        {figures.map(({ label, value, help }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="blacklist-figure">{value}</dd>
            <dd className="soft">{help}</dd>
          </div>
        ))}
      </dl>
      {children === null ? null : <div className="blacklist-frequency">{children}</div>}
    </section>
  );
}
