import { fitted } from '../../on-call/page/fitted.js';
import type { ComponentModel, DayModel, PageModel } from '../compile/model.js';
import type { PageWords } from '../words/words.js';
import type { Formats } from './formats.js';

const HOUR_MS = 3_600_000;
/** Bars with words of their own on a page, which makes each of them some 70 bytes long. */
const NAMED_BARS_MAX = 30;
const TEXT_BYTES_MAX = 200;

/** The colour of a bar: nothing was down, for less than an hour, for longer; nothing was observed. */
const CLASSES = ['u', 's', 'l', 'n'] as const;

/**
 * Draws the bars of one page. Few bytes: the most frequent colour is one line below all days, all bars of another colour are one
 * path, and the style sheet cuts them.
 */
export function createBars(
  { dates }: Pick<PageModel, 'dates'>,
  words: PageWords,
  formats: Formats,
): (days: NonNullable<ComponentModel['days']>) => string {
  let named = 0;

  function names(days: readonly DayModel[]): string {
    const texts: string[] = [];
    for (let day = days.length - 1; day >= 0 && named < NAMED_BARS_MAX; day--) {
      const model = days[day];
      if (model === undefined || model.downMs === 0) continue;
      named += 1;
      const uptime = model.uptime === null ? null : formats.percent(model.uptime);
      const text = words.barOfDay(formats.date(dates[day] ?? ''), uptime, formats.percent(model.coverage));
      texts.push(`<path d="M${day} 0h1"><title>${fitted(text, TEXT_BYTES_MAX)}</title></path>`);
    }
    return texts.join('');
  }

  return (days) => {
    const down = days.filter(({ downMs }) => downMs > 0).length;
    const label = fitted(words.bars(down), TEXT_BYTES_MAX);
    const classes = days.map(classOf);
    const base = mostFrequent(classes);
    const others = CLASSES.filter((name) => name !== base).map((name) => pathOf(classes, name));
    const paths = [`<path class="${base}" d="M0 0h${days.length}"/>`, ...others].join('');
    return `<svg viewBox="0 -1 ${days.length} 2" preserveAspectRatio="none" role="img" aria-label="${label}">${paths}${names(days)}</svg>`;
  };
}

function classOf({ uptime, downMs }: DayModel): (typeof CLASSES)[number] {
  if (uptime === null) return 'n';
  if (downMs === 0) return 'u';
  return downMs < HOUR_MS ? 's' : 'l';
}

function mostFrequent(classes: readonly (typeof CLASSES)[number][]): (typeof CLASSES)[number] {
  const count = (name: string) => classes.filter((one) => one === name).length;
  return CLASSES.reduce((most, name) => (count(name) > count(most) ? name : most));
}

function pathOf(classes: readonly (typeof CLASSES)[number][], name: (typeof CLASSES)[number]): string {
  let path = '';
  let end = 0;
  for (let day = 0; day < classes.length; day++) {
    if (classes[day] !== name) continue;
    const begin = day;
    while (classes[day + 1] === name) day += 1;
    path += `${path === '' ? `M${begin} 0` : `m${begin - end} 0`}h${day + 1 - begin}`;
    end = day + 1;
  }
  return path === '' ? '' : `<path class="${name}" d="${path}"/>`;
}
