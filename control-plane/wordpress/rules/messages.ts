import { duration } from '../../duration.js';
import { shortName, utc } from '../../wording.js';
import { CHECKS, type CheckId } from '../checks/catalogue.js';
import { snippetOf } from '../checks/snippets.js';
import { type CheckTrouble, readingsOf, type SiteDocument } from '../documents.js';

/** Returns the name of a check, such as `XML-RPC disabled`. */
export function checkName(check: CheckId): string {
  return CHECKS.find(({ id }) => id === check)?.name ?? check;
}

/** The messages of incidents of WordPress sites. */
export const wordpressMessages = {
  failed(site: SiteDocument, { check, since_ms, passed_at_ms, evidence }: CheckTrouble): string {
    const times = `has failed since ${utc(since_ms)}; it last passed at ${utc(passed_at_ms)}`;
    return `The check “${checkName(check)}” of ${shortName(site.name)} ${times}. ${sentence(evidence)} ${whatToDo(site, check)}`;
  },
  passed({ name }: Pick<SiteDocument, 'name'>, check: CheckId, lastedMs: number): string {
    return `The check “${checkName(check)}” of ${shortName(name)} passes again after ${duration(lastedMs)}.`;
  },
  undone({ name }: Pick<SiteDocument, 'name'>, check: CheckId): string {
    return `The fix of the check “${checkName(check)}” was undone on ${shortName(name)}. The check has to pass once before it can open an incident again.`;
  },
};

const BY_HAND: Partial<Record<CheckId, string>> = {
  'fatal-errors': 'What to do: update or deactivate the plugin or theme that the error names.',
  'vulnerable-plugins': 'What to do: update these plugins, or delete those without a fixed version.',
};

/** Returns what ends the incident: one click, where the site allows that. */
function whatToDo(site: SiteDocument, check: CheckId): string {
  const byHand = BY_HAND[check];
  if (byHand !== undefined) return byHand;
  const { obstacle, pasteable, applied } = readingsOf(site, check);
  if (obstacle !== '') {
    const isPasteable = pasteable && snippetOf(check, site.about?.server ?? '') !== null;
    const paste = isPasteable ? ' The page of the site in Picket has the lines to paste.' : '';
    return `Picket cannot fix this on the site: ${sentence(obstacle)}${paste}`;
  }
  const again = applied ? 'The fix of Picket is on the site, but has no effect. ' : '';
  return `${again}What to do: one click on “Harden” on the page of the site in Picket ${applied ? 'applies it again' : 'fixes it'}.`;
}

/** Whatever measured it may have written anything: it is quoted as one sentence on one line. */
function sentence(evidence: string): string {
  const text = evidence.replace(/[\p{C}\s]+/gu, ' ').trim();
  return text === '' || /[.!?…]$/.test(text) ? text : `${text}.`;
}
