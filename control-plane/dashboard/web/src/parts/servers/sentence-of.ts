import { number } from '../../texts/format.ts';
import { texts } from './texts/texts.ts';

/** The first page of the servers with some status. */
interface Some {
  data: readonly unknown[];
  next_cursor: string | null;
}

const shown = ({ data, next_cursor }: Some): string =>
  next_cursor === null ? number(data.length) : texts.sentence.atLeast(data.length);

/** Returns how all servers are in one sentence. One that has never sent anything is not online. Pure. */
export function sentenceOf(
  all: number,
  offline: Some,
  pending: Some,
): { sentence: string; tone: 'up' | 'idle' | 'down' } {
  const words = texts.sentence;
  const waiting = pending.data.length === 0 ? '' : ` ${words.pending(shown(pending), all)}`;
  if (offline.data.length > 0) return { sentence: `${words.offline(shown(offline), all)}${waiting}`, tone: 'down' };
  if (waiting === '') return { sentence: words.online(all), tone: 'up' };
  return {
    sentence: all === pending.data.length ? waiting.trim() : `${words.noneOffline(all)}${waiting}`,
    tone: 'idle',
  };
}
