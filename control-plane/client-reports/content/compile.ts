import type { ReportOrder } from '../documents.js';
import type { ReportFacts } from '../facts/facts.js';
import { SECTION_TITLES, type SectionName } from '../sections.js';
import { alertsBlocks } from './alerts.js';
import { backupBlocks } from './backups.js';
import { certificateBlocks } from './certificates.js';
import type { Block, ReportContent } from './content.js';
import { domainBlocks } from './domains.js';
import { emailBlocks } from './email.js';
import type { PercentUp } from './figures.js';
import type { Reading } from './reading.js';
import { reputationBlocks } from './reputation.js';
import { scanBlocks } from './scans.js';
import { shownSections } from './shown-sections.js';
import { summaryBlocks } from './summary.js';
import { timesIn } from './wording.js';
import { wordpressBlocks } from './wordpress.js';

/** What each section says. */
const WRITERS: Readonly<Record<SectionName, (reading: Reading) => Block[]>> = {
  executive_summary: summaryBlocks,
  email_deliverability: emailBlocks,
  ssl_domain: (reading) => [...certificateBlocks(reading), ...domainBlocks(reading)],
  backup_verification: backupBlocks,
  reputation: reputationBlocks,
  wordpress: wordpressBlocks,
  alerts: alertsBlocks,
  security_scans: scanBlocks,
};

const RULES = [
  'Uptime is the time in which a monitor was up, divided by the time in which it was observed. Time in which it was paused or not checked is not part of it. Percentages are rounded down, so 100 % means no downtime.',
  'Time observed is the share of the period in which results of checks decide whether a monitor was up or down.',
  'Planned maintenance counts as any other time, unless the maintenance window says that it does not. Then it is neither uptime nor downtime, and the report says how much was left out. It still counts as observed.',
  'Downtime and uptime of all monitors are sums over the monitors: two monitors that are down for the same minute have two minutes of downtime.',
  'Response times are means of the successful checks from all locations. Failed checks have none.',
  'An incident counts in the period in which it began. Mean time to recover is the mean time from the beginning of an incident to its end, of those that were resolved within the period.',
  'A run of a backup job counts in the period in which it ended. Runs of which Picket does not know whether they took place, because it could not receive their pings, do not count. The longest gap is the longest time in the period in which no run of a job was good.',
  'The score of a WordPress site is the percentage of its checks that pass, rounded down. A check without data does not pass. A fix counts in the period in which its effect was verified; of each site, the last 100 jobs are known.',
  'Of each website, the last security scan that was completed in the period counts. Its score is 100 less 40 for each critical, 20 for each high, 8 for each medium and 3 for each low finding, and never less than 0.',
  'Certificates, registrations of domains, blacklists, e-mail domains and the checks of WordPress sites are as of the time at which the report was made; everything else is of the period.',
];

interface CompileNeeds {
  percentUp: PercentUp;
  logo: string | null;
  verification: ReportContent['verification'];
}

/** Returns a report in words and figures. Pure. */
export function compileReport(
  order: ReportOrder,
  facts: ReportFacts,
  { percentUp, logo, verification }: CompileNeeds,
): ReportContent {
  const { from_ms: fromMs, to_ms: toMs } = order.period;
  const times = timesIn(order.time_zone);
  const shown = shownSections(order, facts);
  const reading: Reading = { facts, fromMs, toMs, times, percentUp, shown };
  return {
    title: order.title,
    clientName: order.client_name,
    period: `${times.time(fromMs)} – ${times.time(toMs)} (${order.time_zone})`,
    made: times.time(facts.madeMs),
    color: order.color,
    paperSize: order.paper_size,
    sections: shown.map((name) => ({
      ...{ name, title: SECTION_TITLES[name] },
      blocks: WRITERS[name](reading),
    })),
    logo,
    verification,
    rules: RULES,
  };
}
