import { RULE_RESOLUTIONS } from '../../alert-rules/alert-rules.js';
import type { IncidentDocument } from '../../incidents/documents.js';
import type { Fact, IncidentKind } from '../../incidents/kind.js';
import { utc } from '../../wording.js';
import { isListingDecision, type ListingDecisionRecord } from './decision-record.js';
import { ListingDecision } from './decision-schema.js';
import { listingDecisionView } from './decision-view.js';
import { LISTING_INCIDENT_EXAMPLE } from './incident-example.js';

/** An incident that a listing on a blacklist opens. */
export const listingKind: IncidentKind = {
  kind: 'blacklist',
  description: 'a listing of a monitored target on a blacklist',
  started: 'time of the first lookup that found the listing',
  byAlertRules: true,
  decision: {
    schema: ListingDecision,
    view: (decision, sent) => (isListingDecision(decision) ? listingDecisionView(decision, sent) : null),
  },
  examples: [LISTING_INCIDENT_EXAMPLE],
  state: () => ({ opened: 'LISTED', lasting: 'STILL LISTED' }),
  name(incident) {
    const listing = decisionOf(incident)?.listing;
    return listing === undefined ? incident.resource.name : `${incident.resource.name} on ${listing.provider_name}`;
  },
  recoveredTitle(incident, lasted) {
    const listing = decisionOf(incident)?.listing;
    return listing === undefined
      ? null
      : `DELISTED: ${incident.resource.name} from ${listing.provider_name} (was listed ${lasted})`;
  },
  subjectFacts(incident) {
    const decision = decisionOf(incident);
    return decision === null ? [] : listingFacts(decision);
  },
  evidenceFacts(incident) {
    const decision = decisionOf(incident);
    if (decision === null) return [];
    return [{ label: 'Confirmed', value: `${utc(decision.listing.confirmed.at_ms)}, by two lookups` }];
  },
  facts(incident) {
    const listing = decisionOf(incident)?.listing;
    if (listing === undefined) return null;
    const { provider_name: list, meanings, codes } = listing;
    return { type: 'blacklist', list, meanings: meanings.length > 0 ? [...meanings] : [...codes] };
  },
  votes: () => [],
  resolutions: {
    ...RULE_RESOLUTIONS,
    recovered: 'no longer listed',
    deleted: 'the blacklist monitor was deleted',
    gone: 'Picket no longer checks the list',
    policy_only: 'only a policy listing remains',
  },
  runbookLabel: 'Delisting instructions',
};

function decisionOf({ decision }: IncidentDocument): ListingDecisionRecord | null {
  return decision !== null && isListingDecision(decision) ? decision : null;
}

/** What is listed where. The text of the list is in the message of the incident. */
function listingFacts({ listing, rule, other_rules }: ListingDecisionRecord): Fact[] {
  const { target, provider_name, zone, meanings, codes, addresses } = listing;
  return [
    { label: 'Target', value: target },
    { label: 'List', value: `${provider_name} (${zone})` },
    { label: 'Listing', value: [meanings.join(', '), codes.join(', ')].filter((part) => part !== '').join(': ') },
    { label: addresses.length === 1 ? 'Address' : 'Addresses', value: addresses.join(', ') },
    {
      label: other_rules.length === 0 ? 'Rule' : 'Rules',
      value: [rule, ...other_rules].map(({ name }) => name).join(', '),
    },
  ].filter(({ value }) => value !== '');
}
