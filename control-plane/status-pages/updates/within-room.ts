import type { PublicIncident } from './documents.js';

/** Of all updates on a page. Everybody may ask for it again and again, and it is kept in memory in each language. */
const PAGE_TEXT_CHARS_MAX = 200_000;

/** Returns the incidents with as many of their newest updates as have room on a page, those of the first incidents first. */
export function withinRoom(incidents: readonly PublicIncident[]): PublicIncident[] {
  let room = PAGE_TEXT_CHARS_MAX;
  return incidents.map((incident) => {
    let kept = 0;
    for (const { text } of [...incident.updates].reverse()) {
      room -= text.length;
      if (room < 0) break;
      kept += 1;
    }
    return { ...incident, updates: kept === 0 ? [] : incident.updates.slice(-kept) };
  });
}
