import type { Stage } from './stage.js';

/**
 * Returns the subject of the incident of a domain at a stage. It names the domain and not its document: a domain whose monitor is
 * paused and resumed has another document, and is the same to the people who got its alerts.
 */
export function expirySubject(name: string, stage: Stage): string {
  return `${expirySubjects(name)}${stage}`;
}

/** Returns what the subjects of a domain begin with. */
export function expirySubjects(name: string): string {
  return `domain:${name}:`;
}
