import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Server } from '../../../api/types.ts';
import { LoadProblem } from '../../../components/problem-note.tsx';
import { ruleName } from '../../../texts/default-names.ts';
import { alertRulesQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';
import { rulesOf } from './rules-of.ts';

/** The alert rules that apply to a server. */
export function Rules({ server }: { server: Server }) {
  const { data, error } = useQuery(alertRulesQuery);
  const words = texts.rules;
  const rules = rulesOf(data ?? [], server);
  return (
    <section className="panel">
      <h2>{words.title}</h2>
      {data === undefined ? <LoadProblem error={error} /> : null}
      {data !== undefined && rules.length === 0 ? <p className="soft">{words.none}</p> : null}
      <ul className="rows">
        {rules.map(({ id, name, type, enabled }) => (
          <li key={id}>
            <Link to={`/settings/alert-rules/${id}`} className="row">
              <bdi className="row-main two-lines">{ruleName({ type, name })}</bdi>
              {enabled ? null : <span className="row-side">{words.disabled}</span>}
            </Link>
          </li>
        ))}
      </ul>
      <p>
        <Link to="/settings/alert-rules">{words.manage}</Link>
      </p>
    </section>
  );
}
