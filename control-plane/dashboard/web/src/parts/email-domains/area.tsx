import type { EmailDomainArea } from '../../api/types.ts';
import { CopyField } from '../../components/form/copy-field.tsx';
import { AreaMark } from './marks.tsx';
import { texts } from './texts/texts.ts';

/** One area: how it is, what to do, and what Picket read. Findings are sentences of the API, in English. */
export function Area({ area: { area, status, findings, evidence, proposal } }: { area: EmailDomainArea }) {
  return (
    <section className="panel email-area" aria-labelledby={`area-${area}`}>
      <h2 id={`area-${area}`}>{texts.areas[area]}</h2>
      <AreaMark status={status} />
      {findings.map(({ code, message, next_step }, place) => (
        <div key={`${code} ${place}`} lang="en">
          <p className="wrap">{message}</p>
          {next_step === null ? null : <p className="wrap strong">{next_step}</p>}
        </div>
      ))}
      {proposal === null ? null : (
        <>
          <CopyField label={texts.one.proposal(proposal.type, proposal.name)} value={proposal.value} />
          <p className="soft">{texts.one.proposalHelp}</p>
        </>
      )}
      {evidence.length === 0 ? null : (
        <details>
          <summary>{texts.one.evidence}</summary>
          <dl className="facts">
            {evidence.map(({ label, value }, place) => (
              <div key={`${label} ${place}`} className="fact" lang="en">
                <dt className="wrap">
                  <bdi>{label}</bdi>
                </dt>
                <dd className="wrap">
                  <bdi>{value}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </section>
  );
}
