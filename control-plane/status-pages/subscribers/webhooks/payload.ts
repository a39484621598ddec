import { isoOrNull, toIso } from '../../../../kernel/clock.js';
import type { StatusPageDocument } from '../../documents.js';
import { pagePath } from '../../paths.js';
import type { BroadcastDocument, DeliveryDocument, SubscriberDocument } from '../documents.js';
import type { PageEvent } from '../notify/page-event.js';

interface Occurred {
  page: StatusPageDocument;
  broadcast: BroadcastDocument;
  event: PageEvent;
  subscriber: SubscriberDocument;
  nowMs: number;
}

/** Returns an event for a webhook, as it waits to be delivered. */
export function deliveryOf(
  { page, broadcast, event, subscriber, nowMs }: Occurred,
  publicUrl: string,
): DeliveryDocument {
  const body = {
    type: `status_page.${event.kind}`,
    timestamp: toIso(event.atMs),
    data: {
      page: { id: page._id, title: page.title, url: `${publicUrl}${pagePath(page.slug)}` },
      ...detailsOf(event),
    },
  };
  return {
    _id: `${broadcast._id}/${subscriber._id}`,
    workspace_id: page.workspace_id,
    page_id: page._id,
    subscriber_id: subscriber._id,
    body: JSON.stringify(body),
    created_at_ms: nowMs,
    next_attempt_ms: nowMs,
    attempts: 0,
    refusals: 0,
  };
}

/** What the page shows of it, in the fields of `.json`. */
function detailsOf(event: PageEvent) {
  if (event.kind === 'incident_update') {
    const { incidentId: id, title, state, text, components } = event;
    return { incident: { id, title, state, text, components } };
  }
  if ('outage' in event) {
    const { component, startedMs, resolvedMs } = event.outage;
    return { outage: { component, started_at: toIso(startedMs), resolved_at: isoOrNull(resolvedMs) } };
  }
  const { startsMs, endsMs, components } = event;
  return { maintenance: { starts_at: toIso(startsMs), ends_at: toIso(endsMs), components } };
}
