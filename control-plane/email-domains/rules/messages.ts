import { duration } from '../../duration.js';
import { shortName } from '../../wording.js';
import { AREA_TITLES } from '../areas/area.js';
import type { EmailDecisionRecord } from './decision-record.js';

type Email = EmailDecisionRecord['email'];

/** The messages of incidents of e-mail domains. */
export const emailMessages = {
  fell(email: Email): string {
    const { domain, failing } = email;
    const areas = failing.map(({ area }) => AREA_TITLES[area]).join(', ');
    const [first] = failing;
    const what = areas === '' ? '' : ` Failing: ${areas}.`;
    return `The e-mail score of ${shortName(domain)} fell${scores(email)}.${what}${first === undefined ? '' : ` ${first.message}`}`;
  },
  recovered({ domain, score, lastedMs }: Pick<Email, 'domain' | 'score'> & { lastedMs: number }): string {
    const is = score === null ? '' : ` It is ${score}.`;
    return `The e-mail score of ${shortName(domain)} is back after ${duration(lastedMs)}.${is}`;
  },
};

function scores({ from_score, score }: Email): string {
  return from_score === null || score === null ? '' : ` from ${from_score} to ${score}`;
}
