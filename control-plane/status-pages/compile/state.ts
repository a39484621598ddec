import type { ThingFacts } from '../facts/facts.js';
import type { ComponentState, OverallState, Proportion } from './model.js';

/**
 * Returns the state of what is shown together. What is paused counts only if nothing else is there. One that is not known makes
 * the state not known, unless another is down: a page never shows green for what nobody has seen.
 */
export function stateOf(things: readonly ThingFacts[]): ComponentState {
  const watched = things.filter(({ state }) => state !== 'paused');
  if (watched.length === 0) return 'not_known';
  const others = watched.filter(({ inMaintenance }) => !inMaintenance);
  const down = others.filter(({ state }) => state === 'down').length;
  if (down > 0) return down === watched.length ? 'outage' : 'partial_outage';
  if (others.some(({ state }) => state === 'unknown')) return 'not_known';
  return others.length < watched.length ? 'maintenance' : 'operational';
}

/** Returns how many of the things are down now, in or out of maintenance; what is paused is not counted. */
export function proportionOf(things: readonly ThingFacts[], isPart: boolean): Proportion {
  const watched = things.filter(({ state }) => state !== 'paused');
  const down = watched.filter(({ state, inMaintenance }) => state === 'down' && !inMaintenance).length;
  return { down, of: watched.length, isMore: isPart };
}

/** Returns the state of a page from those of its components: the worst one says what is wrong. */
export function overallState(states: readonly ComponentState[]): OverallState {
  if (states.length === 0) return 'empty';
  if (states.every((state) => state === 'outage')) return 'major_outage';
  if (states.some((state) => state === 'outage' || state === 'partial_outage')) return 'partial_outage';
  for (const state of ['degraded', 'not_known', 'maintenance'] as const) {
    if (states.includes(state)) return state;
  }
  return 'operational';
}

/** The better ones first. */
const RANKS: Readonly<Record<ComponentState, number>> = {
  operational: 0,
  maintenance: 1,
  not_known: 2,
  degraded: 3,
  partial_outage: 4,
  outage: 5,
};

export function worstState(states: readonly ComponentState[]): ComponentState {
  return states.reduce((worst, state) => (RANKS[state] > RANKS[worst] ? state : worst), 'operational');
}
