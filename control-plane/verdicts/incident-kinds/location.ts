import { type IncidentKind, RUNBOOK_LABEL } from '../../incidents/kind.js';

/** The subject of a location that is connected, but whose votes are ignored. */
const QUARANTINE_PREFIX = 'quarantine:';

/** The subject of the alert that too many locations look broken for any of them to be quarantined. */
export const BROKEN_MAJORITY = 'locations:broken';

/** A problem of a check location: an alert about Picket itself, for operators. */
export const locationKind: IncidentKind = {
  kind: 'location',
  description: 'a problem of a check location, for operators',
  started: null,
  byAlertRules: false,
  decision: null,
  examples: [],
  state({ subject }) {
    if (subject === BROKEN_MAJORITY) {
      return { opened: 'TOO MANY LOCATIONS FAILING', lasting: 'STILL TOO MANY LOCATIONS FAILING' };
    }
    return subject.startsWith(QUARANTINE_PREFIX)
      ? { opened: 'LOCATION QUARANTINED', lasting: 'LOCATION STILL QUARANTINED' }
      : { opened: 'LOCATION SILENT', lasting: 'LOCATION STILL SILENT' };
  },
  name: ({ resource }) => resource.name,
  recoveredTitle: () => null,
  subjectFacts: () => [],
  evidenceFacts: () => [],
  facts: () => null,
  votes: () => [],
  resolutions: {},
  runbookLabel: RUNBOOK_LABEL,
};
