import type { BulkPreview } from '../../../api/types.ts';
import { texts } from './texts/texts.ts';

/** What alerts of the last seven days would have changed, and how sure that is. */
export function AlertsSentence({ preview }: { preview: BulkPreview }) {
  // Whoever may not read alerts is not told how many there were.
  const { alerts, changed, operation } = preview;
  if (changed === 0 || operation === 'add') return null;
  if (operation === 'add_tags' || operation === 'remove_tags')
    return <p className="note">{texts.preview.alerts.tags}</p>;
  return <p className="note">{alerts === null ? texts.preview.alerts.hidden : sentenceOf(alerts, changed)}</p>;
}

function sentenceOf(alerts: NonNullable<BulkPreview['alerts']>, changed: number): string {
  const words = texts.preview.alerts;
  const { basis, were, tested_were: tested, tested_would_have_been: would, monitors_tested, complete } = alerts;
  if (basis === 'unknown' || would === null) return words.unknown;
  if (basis === 'stopped') return words.stopped(were);
  if (basis === 'same') return words.same(were);
  const sentence = tested === 0 && would === 0 ? words.none : words.replayed(tested, would);
  return complete ? sentence : `${sentence} ${words.cut(monitors_tested, changed)}`;
}
