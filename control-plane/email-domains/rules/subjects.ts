const KIND = 'email';

/** Returns the subject of the incident of a domain. */
export function domainSubject(domainId: string): string {
  return `${KIND}:${domainId}`;
}

/** Returns the id of the domain; null for any other subject. */
export function domainOfSubject(subject: string): string | null {
  const [kind, domainId = ''] = subject.split(':');
  return kind === KIND ? domainId : null;
}
