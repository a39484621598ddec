import { inLanguage } from '../catalogue.ts';
import { sentence } from '../sentence.ts';
import { sentences as de } from './de.ts';
import { sentences as en } from './en.ts';
import type { Facts, FieldProblem } from './facts.ts';
import { fieldName } from './names.ts';

const sentences = inLanguage({ en, de });

/**
 * Returns what is wrong with a field, in the language of the person. An API that is newer than the page may have a code
 * that the page does not know; then its own words are better than none. Pure.
 */
export function fieldSentence({ code, params, message }: FieldProblem): string {
  return Object.hasOwn(sentences, code ?? '') ? sentences[code](factsOf(params ?? {}, message)) : sentence(message);
}

/** Returns what is wrong with a field that is not on the page, after its name: `Interval: Enter at least 10.` Pure. */
export function namedFieldError(problem: FieldProblem): string {
  const name = fieldName(problem.path);
  return name === '' ? fieldSentence(problem) : `${name}: ${fieldSentence(problem)}`;
}

function factsOf(params: NonNullable<FieldProblem['params']>, message: string): Facts {
  const count = (name: string) => Number(params[name] ?? 0);
  const text = (name: string) => String(params[name] ?? '');
  const texts = (name: string) => [params[name] ?? []].flat().map(String);
  return {
    ...{ min: count('min'), max: count('max'), of: count('of') },
    // Nobody can enter null: a form leaves the field out.
    ...{ values: texts('values').filter(isEntered), types: texts('types').filter(isEntered) },
    ...{ example: text('example'), format: text('format'), prefix: text('prefix'), message, all: params },
  };
}

const isEntered = (name: string): boolean => name !== 'null';
