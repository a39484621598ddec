import { accountPart } from '../parts/account/part.ts';
import { alertRulesPart } from '../parts/alert-rules/part.ts';
import { apiKeysPart } from '../parts/api-keys/part.ts';
import { auditPart } from '../parts/audit/part.ts';
import { backupJobsPart } from '../parts/backup-jobs/part.ts';
import { billingPart } from '../parts/billing/part.ts';
import { blacklistsPart } from '../parts/blacklists/part.ts';
import { channelsPart } from '../parts/channels/part.ts';
import { emailDomainsPart } from '../parts/email-domains/part.ts';
import { glossaryPart } from '../parts/glossary/part.ts';
import { incidentsPart } from '../parts/incidents/part.ts';
import { maintenancePart } from '../parts/maintenance/part.ts';
import { monitorsPart } from '../parts/monitors/part.ts';
import { operatorPart } from '../parts/operator/part.ts';
import { overviewPart } from '../parts/overview/part.ts';
import { reportsPart } from '../parts/reports/part.ts';
import { scansPart } from '../parts/scans/part.ts';
import { serversPart } from '../parts/servers/part.ts';
import { statusPagesPart } from '../parts/status-pages/part.ts';
import { teamPart } from '../parts/team/part.ts';
import { wordpressPart } from '../parts/wordpress/part.ts';
import { workspacePart } from '../parts/workspace/part.ts';
import type { Part } from './part.ts';

/** All parts, in the order of the navigation. */
export const PARTS: readonly Part[] = [
  overviewPart,
  monitorsPart,
  serversPart,
  incidentsPart,
  wordpressPart,
  maintenancePart,
  blacklistsPart,
  emailDomainsPart,
  scansPart,
  backupJobsPart,
  reportsPart,
  statusPagesPart,
  workspacePart,
  teamPart,
  apiKeysPart,
  channelsPart,
  alertRulesPart,
  auditPart,
  billingPart,
  accountPart,
  operatorPart,
  glossaryPart,
];
