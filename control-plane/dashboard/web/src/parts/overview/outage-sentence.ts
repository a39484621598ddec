import type { Incident } from '../../api/types.ts';
import { texts } from '../../texts/app/texts.ts';
import { type Said, say } from '../../texts/said.ts';
import { causeSentence } from '../incidents/cause-sentence.ts';
import { lastedOf } from '../incidents/lasted.ts';
import type { HappenedWords } from './happened/happened.ts';
import type { Outage } from './recent.ts';
import { errorOf } from './together.ts';

type Words = HappenedWords['outages'];

/** Returns what was wrong with an object lately: `Down for 5 min.`, `9 outages, last 13:24.` Pure. */
export function outageSentence({ newest, count, together }: Outage, words: Words): Said {
  if (together !== null) return togetherSentence(newest, together, words);
  const isOutage = newest.kind === 'monitor';
  if (count > 1) return say((time) => words.many(isOutage, count, time(newest.started_at)));
  if (!isOutage) return causeSentence(newest);
  const lasted = lastedOf(newest);
  if (lasted === null) return say((time) => `${words.lasting(time(newest.started_at))} ${reported(newest)}`.trim());
  return [newest.resolution === 'manual' ? words.resolvedByPerson(lasted) : words.over(lasted)];
}

function togetherSentence(newest: Incident, incidents: readonly Incident[], words: Words): Said {
  const lasting = incidents.filter(({ resolved_at }) => resolved_at === null);
  const byPerson = incidents.filter(({ resolution }) => resolution === 'manual').length;
  const isAllByPerson = byPerson === incidents.length;
  const msOf = ({ started_at, resolved_at }: Incident) =>
    Date.parse(resolved_at ?? started_at) - Date.parse(started_at);
  const ended = incidents.filter(({ resolution }) => isAllByPerson || resolution !== 'manual');
  const [longest = newest] = ended.sort((a, b) => msOf(b) - msOf(a));
  const over = isAllByPerson ? words.together.resolvedByPerson : words.together.over;
  const since = lasting.at(-1)?.started_at ?? newest.started_at;
  return say((time) => {
    const said = lasting.length === 0 ? over(lastedOf(longest) ?? '') : words.together.lasting(time(since));
    const left = lasting.length > 0 && lasting.length < incidents.length ? words.together.left(lasting.length) : '';
    const closed = byPerson === 0 || isAllByPerson ? '' : words.together.someByPerson(byPerson);
    return [said, left, closed, reported(newest)].filter((part) => part !== '').join(' ');
  });
}

/** What the locations saw; empty if nobody knows. */
function reported(incident: Incident): string {
  const error = errorOf(incident);
  return error === null ? '' : texts.overview.reported(texts.errors[error] ?? error);
}
