import type { ComponentModel, OutageModel, PageModel, Proportion } from '../compile/model.js';
import type { PageWords } from '../words/words.js';

/** Returns the state of a component in words, with the number of what is down where that is a part of it. */
export function stateText(
  { state, proportion }: Pick<ComponentModel, 'state' | 'proportion'>,
  words: PageWords,
): string {
  return proportion === null ? words.states[state] : words.partState(ratioText(proportion, words));
}

/** Returns the state of a page in words. */
export function overallText({ state, groups }: Pick<PageModel, 'state' | 'groups'>, words: PageWords): string {
  const isSomeDown = groups.some(({ components }) => components.some((component) => component.state === 'outage'));
  return state === 'partial_outage' && !isSomeDown ? words.partOverall : words.overall[state];
}

/** Returns the title of an outage that Picket found. */
export function outageTitle(
  { component, proportion, resolvedMs }: Pick<OutageModel, 'component' | 'proportion' | 'resolvedMs'>,
  words: PageWords,
): string {
  const isOver = resolvedMs !== null;
  if (proportion === null) return isOver ? words.outageOver(component) : words.outage(component);
  const say = isOver ? words.part.outageOver : words.part.outage;
  return say(component, ratioText(proportion, words), proportion.down);
}

/** Says how an outage began. */
export function beginOf(
  { component, proportion }: Pick<OutageModel, 'component' | 'proportion'>,
  words: PageWords,
): string {
  return proportion === null ? words.outageBegan(component) : words.part.outageBegan(component);
}

/** Says how an outage ended. */
export function endOf(
  { component, proportion, recovered }: Pick<OutageModel, 'component' | 'proportion' | 'recovered'>,
  duration: string,
  words: PageWords,
): string {
  if (!recovered) return words.outageClosed(component, duration);
  if (proportion === null) return words.outageEnded(component, duration);
  return words.part.outageEnded(component, ratioText(proportion, words), duration);
}

function ratioText({ down, of, isMore }: Proportion, words: PageWords): string {
  return words.ratio(down, of, isMore);
}
