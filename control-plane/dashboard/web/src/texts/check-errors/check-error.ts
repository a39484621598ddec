import { inLanguage } from '../catalogue.ts';
import { sentence } from '../sentence.ts';
import { sentences as de } from './de.ts';
import type { CheckFacts, CheckSentences } from './facts.ts';

/** Why a check failed. */
interface CheckError {
  code: string;
  /** English, with the facts: `192.0.2.1:443 refused the connection after 1 ms`. */
  message: string;
}

const sentences = inLanguage<CheckSentences>({ en: {}, de });

/** Returns why a check failed, in the language of the person. What has no sentence is said as the probe said it. Pure. */
export function checkErrorText({ code, message }: CheckError): string {
  const words = Object.hasOwn(sentences, code) ? sentences[code] : undefined;
  return words === undefined ? sentence(message).replace(/\.$/, '') : words(factsOf(message));
}

function factsOf(message: string): CheckFacts {
  const first = (pattern: RegExp) => pattern.exec(message)?.[1] ?? '';
  return {
    where: first(/((?:\[[0-9a-f:.]+\]|\d+\.\d+\.\d+\.\d+)(?::\d+)?)/i),
    time: first(/(?:after|within) (\d+(?:\.\d+)? (?:ms|s|min|h))\b/).replace('.', ','),
    quoted: first(/"([^"]*)"/),
    expected: first(/expected status (\d+)/),
    got: first(/got (\d+)/),
    message,
  };
}
