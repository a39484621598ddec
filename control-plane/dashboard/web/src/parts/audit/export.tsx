import { Link } from '@tanstack/react-router';
import { apiUrl } from '../../api/client.ts';
import { Disclosure } from '../../components/disclosure.tsx';
import { type AuditFilter, auditQuery } from './filter.ts';
import { texts } from './texts/texts.ts';

const FORMATS = ['csv', 'json'] as const;

/** The shown entries as a file: all of them, oldest first, and not only those that have been loaded. */
export function Export({ filter, isAllowed }: { filter: AuditFilter; isAllowed: boolean }) {
  return (
    <Disclosure className="menu-button" label={texts.export}>
      {isAllowed ? (
        <>
          {FORMATS.map((format) => (
            <a key={format} className="menu-item" href={exportUrl(filter, format)} download>
              {texts.exportAs[format]}
            </a>
          ))}
          <p className="menu-title">{texts.exportHelp}</p>
        </>
      ) : (
        <p className="audit-plan">
          {texts.exportNeedsPlan} <Link to="/settings/billing">{texts.plans}</Link>
        </p>
      )}
    </Disclosure>
  );
}

function exportUrl(filter: AuditFilter, format: string): string {
  const parameters = Object.entries({ ...auditQuery(filter), format }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return apiUrl(`/v1/audit-logs?${new URLSearchParams(parameters).toString()}`);
}
