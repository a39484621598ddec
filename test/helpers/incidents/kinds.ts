import { backupKind } from '../../../control-plane/backup-jobs/rules/incident-kind.js';
import { listingKind } from '../../../control-plane/blacklist/rules/incident-kind.js';
import { domainKind } from '../../../control-plane/domain-expiry/rules/incident-kind.js';
import { emailKind } from '../../../control-plane/email-domains/rules/incident-kind.js';
import { createIncidentKinds } from '../../../control-plane/incidents/kind.js';
import { serverKind } from '../../../control-plane/servers/rules/incident/kind.js';
import { certificateKind } from '../../../control-plane/verdicts/incident-kinds/certificate.js';
import { locationKind } from '../../../control-plane/verdicts/incident-kinds/location.js';
import { outageKind } from '../../../control-plane/verdicts/incident-kinds/outage.js';
import { wordpressKind } from '../../../control-plane/wordpress/rules/incident-kind.js';

/** The kinds of incidents of the product, without loading all of it. */
export const KINDS = createIncidentKinds([
  outageKind,
  certificateKind,
  locationKind,
  serverKind,
  listingKind,
  backupKind,
  emailKind,
  domainKind,
  wordpressKind,
]);

/** The kinds of incidents that alert rules open. */
export const RULE_KINDS = KINDS.all.filter(({ byAlertRules }) => byAlertRules).map(({ kind }) => kind);
