import type { Incident } from '../../api/types.ts';
import { Mark, StatusMark } from '../../components/status-mark.tsx';
import { resolvedEarly, shownState } from './shown-state.ts';
import { texts } from './texts/texts.ts';

/** The mark of an incident. One that a person resolved is not green: nobody saw its problem end. */
export function IncidentMark({ incident }: { incident: Incident }) {
  return resolvedEarly(incident) ? (
    <Mark as="unknown" word={texts.byPerson} quiet />
  ) : (
    <StatusMark state={shownState(incident)} quiet />
  );
}
