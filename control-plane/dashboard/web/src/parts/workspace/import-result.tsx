import { useState } from 'react';
import type { ImportReport } from '../../api/types.ts';
import { namedFieldError } from '../../texts/fields/field-sentence.ts';
import { capital } from '../../texts/format.ts';
import { worstFirst } from './import-order.ts';
import { texts } from './texts/texts.ts';

/** Rows that are shown at first; a file has 2,000 at most. */
const ROWS_AT_FIRST = 50;

/** What a file changes, or has changed, and what not. */
export function ImportResult({ report }: { report: ImportReport }) {
  const [isWhole, setWhole] = useState(false);
  const { summary, format } = report;
  const rows = worstFirst(report.monitors);
  const shown = isWhole ? rows : rows.slice(0, ROWS_AT_FIRST);
  return (
    <div className="stack">
      <p className={`note ${report.dry_run ? '' : 'good'}`} role="status">
        {report.dry_run ? texts.wouldImport(summary) : texts.hasImported(summary)}{' '}
        {format === 'uptime-kuma' ? texts.isKuma : ''}
      </p>
      <ul className="rows">
        {shown.map(({ name, action, changes, errors, warnings }, place) => (
          <li key={`${place} ${name}`} className="row">
            <div className="row-main">
              <p className="wrap">
                <bdi className="strong">{name}</bdi> <span className="soft">{texts.actions[action]}</span>
              </p>
              {changes.length === 0 ? null : <p className="row-detail wrap">{texts.changes(changes)}</p>}
              {[...errors, ...warnings].map(namedFieldError).map((text, index) => (
                <p
                  key={`${index} ${text}`}
                  className={`row-detail wrap ${action === 'refused' ? 'tone-down' : 'tone-warning'}`}
                >
                  {capital(text)}
                </p>
              ))}
            </div>
          </li>
        ))}
      </ul>
      {rows.length > shown.length ? (
        <div>
          <button type="button" className="link" onClick={() => setWhole(true)}>
            {texts.showAll(rows.length)}
          </button>
        </div>
      ) : null}
    </div>
  );
}
