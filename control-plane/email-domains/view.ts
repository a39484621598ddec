import { toIso } from '../../kernel/clock.js';
import { AREA_POINTS, pointsOf } from './check/score.js';
import type { AreaState, DomainDayDocument, EmailDomainDocument } from './documents.js';
import type { EmailDomain, EmailDomainDay, EmailDomainWithAreas } from './schema.js';

/** Returns a domain as lists show it. */
export function domainView(domain: EmailDomainDocument): EmailDomain {
  const { checked_at_ms: checkedMs } = domain;
  return {
    id: domain._id,
    name: domain.name,
    dkim_selectors: domain.dkim_selectors,
    status: statusOf(domain),
    score: domain.score,
    statuses: domain.areas.map(({ area, verdict }) => ({ area, status: verdict.status })),
    last_checked_at: checkedMs === null ? null : toIso(checkedMs),
    next_check_at: toIso(domain.next_at_ms),
    created_at: toIso(domain.created_at_ms),
    updated_at: toIso(domain.updated_at_ms),
  };
}

export function domainWithAreasView(domain: EmailDomainDocument): EmailDomainWithAreas {
  return { ...domainView(domain), areas: domain.areas.map(areaView) };
}

export function dayView({ date, score, statuses, checked_at_ms }: DomainDayDocument): EmailDomainDay {
  return { date, score, statuses, checked_at: toIso(checked_at_ms) };
}

/** Returns the worst of what the areas count as; `unknown` before any is known. */
export function statusOf({ areas }: Pick<EmailDomainDocument, 'areas'>): EmailDomain['status'] {
  const has = (standing: AreaState['standing']) => areas.some((state) => state.standing === standing);
  if (has('failing')) return 'failing';
  if (has('warning')) return 'warning';
  return has('passing') ? 'passing' : 'unknown';
}

function areaView({ area, verdict, standing }: AreaState): EmailDomainWithAreas['areas'][number] {
  const { status, findings, evidence, proposal } = verdict;
  return {
    area,
    status,
    counted_as: standing,
    points: pointsOf(area, standing),
    points_max: AREA_POINTS[area],
    findings,
    evidence,
    proposal,
  };
}
