import type { Stage } from './stage.js';

const KIND = 'domain';

/** Returns the subject of the incident of a domain at a stage. */
export function expirySubject(domainId: string, stage: Stage): string {
  return `${expirySubjects(domainId)}${stage}`;
}

/** Returns what the subjects of a domain begin with. */
export function expirySubjects(domainId: string): string {
  return `${KIND}:${domainId}:`;
}

/** Returns the id of the domain; null for any other subject. */
export function domainOfSubject(subject: string): string | null {
  const [kind, domainId = ''] = subject.split(':');
  return kind === KIND ? domainId : null;
}
