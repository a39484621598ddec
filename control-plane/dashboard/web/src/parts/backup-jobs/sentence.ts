import type { BackupJob } from '../../api/types.ts';
import { type Said, say } from '../../texts/said.ts';
import { texts } from './texts/texts.ts';

/** Returns how a job is, in words. Pure. */
export function stateSentence({ status, problem, running_since, last_good_at }: BackupJob): Said {
  if (status === 'disabled') return [texts.disabled];
  if (problem !== null) return say((time) => texts.bad(texts.problems[problem.type], time(problem.since)));
  if (running_since !== null) return say((time) => texts.running(time(running_since)));
  return last_good_at === null ? [texts.waiting] : say((time) => texts.good(time(last_good_at)));
}
