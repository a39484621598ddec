import type { TSchema } from 'typebox';
import type { IncidentDecision, IncidentDocument } from './documents.js';
import type { IncidentFacts } from './facts/schema.js';
import type { NotificationSent } from './incidents.js';

/** A line of a notification: a label and its value. */
export interface Fact {
  label: string;
  value: string;
}

/** What one location said when the incident was opened. */
export interface LocationVote {
  /** `fra`. */
  locationCode: string;
  /** `Frankfurt`. */
  location: string;
  /** How the decision counted it; `failing`: its check failed, and that did not count. */
  counted: 'up' | 'down' | 'failing' | 'none';
  /** Why, in a few words: `connection refused`, `31 ms`, `no probe`. */
  reason: string;
  /** Code of the check's error; null without one. */
  errorCode: string | null;
  /** Text of the check's error; empty without one. */
  detail: string;
  /** null without a result. */
  checkedAtMs: number | null;
}

/** Looks up names that an incident does not contain. */
export interface Names {
  /** `Frankfurt` for `fra`. */
  locationName(code: string): string;
}

/** How the API shows the decisions of a kind. */
export interface DecisionKind {
  schema: TSchema;
  /** Returns the decision as `schema` describes it. `sent` are the notifications of the incident. */
  view(decision: IncidentDecision, sent: readonly NotificationSent[]): unknown;
}

/** What Picket needs to know about a kind of incident to show it and to notify channels. All functions are pure. */
export interface IncidentKind {
  /** As the API shows it: `monitor`. */
  kind: string;
  /** Completes "`kind`: …" in the documentation of the API. */
  description: string;
  /** Completes "`kind`: …" in the description of `started_at`; null if the general sentence fits. */
  started: string | null;
  /** Whether alert rules open incidents of this kind. */
  byAlertRules: boolean;
  /** null: incidents of this kind have no decision record. */
  decision: DecisionKind | null;
  /** Incidents as the documentation of the API shows them. */
  examples: readonly Record<string, unknown>[];
  /** The state in capitals at the start of a notification title: when the incident opens, and in reminders. */
  state(incident: IncidentDocument): { opened: string; lasting: string };
  /** The name in the title of a notification. */
  name(incident: IncidentDocument): string;
  /** The title when the problem ended by itself after `lasted`; null for the general title. */
  recoveredTitle(incident: IncidentDocument, lasted: string): string | null;
  /** Lines about the resource that has the problem. */
  subjectFacts(incident: IncidentDocument): Fact[];
  /** Lines that explain why the incident was opened; left out of messages about its end. */
  evidenceFacts(incident: IncidentDocument, names: Names): Fact[];
  /** Why the incident was opened, as fields of the API; null if they are not known. */
  facts(incident: IncidentDocument): IncidentFacts;
  /** What each location said when the incident was opened, in the order of the decision; empty for a kind without votes. */
  votes(incident: IncidentDocument, names: Names): LocationVote[];
  /** Texts for values of `resolution` for which the general texts do not fit. */
  resolutions: Readonly<Record<string, string>>;
  /** The label of the incident's runbook link. */
  runbookLabel: string;
}

export const RUNBOOK_LABEL = 'Runbook';

/** The kinds of incidents by name. */
export interface IncidentKinds {
  all: readonly IncidentKind[];
  /** Returns the kind of an incident; a general kind if no slice declares it any more. */
  of(incident: Pick<IncidentDocument, 'kind'>): IncidentKind;
}

/** Throws when two kinds have the same name. */
export function createIncidentKinds(kinds: readonly IncidentKind[]): IncidentKinds {
  const byName = new Map(kinds.map((kind) => [kind.kind, kind]));
  if (byName.size !== kinds.length) throw new Error('two slices declare the same kind of incident');
  return { all: kinds, of: ({ kind }) => byName.get(kind) ?? generalKind(kind) };
}

function generalKind(kind: string): IncidentKind {
  return {
    kind,
    description: 'an incident of a feature that this version of Picket does not have',
    started: null,
    byAlertRules: false,
    decision: null,
    examples: [],
    state: () => ({ opened: 'FIRING', lasting: 'STILL FIRING' }),
    name: ({ monitor_name, resource }) => monitor_name ?? resource.name,
    recoveredTitle: () => null,
    subjectFacts: () => [],
    evidenceFacts: () => [],
    facts: () => null,
    votes: () => [],
    resolutions: {},
    runbookLabel: RUNBOOK_LABEL,
  };
}
