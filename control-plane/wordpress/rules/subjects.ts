import type { CheckId } from '../checks/catalogue.js';

const KIND = 'wordpress';

/** Returns the subject of the incident of a check of a site. */
export function checkSubject(siteId: string, check: CheckId): string {
  return `${checkSubjects(siteId)}${check}`;
}

/** Returns the beginning of the subjects of all checks of a site. */
export function checkSubjects(siteId: string): string {
  return `${KIND}:${siteId}:`;
}

/** Returns the id of the site; null for any other subject. */
export function siteOfSubject(subject: string): string | null {
  const [kind, siteId = ''] = subject.split(':');
  return kind === KIND ? siteId : null;
}
