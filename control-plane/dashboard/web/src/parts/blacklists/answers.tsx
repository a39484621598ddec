import type { BlacklistNotAsked, BlacklistProvider, BlacklistResult } from '../../api/types.ts';
import { ExternalLink } from '../../components/external-link.tsx';
import { milliseconds } from '../../texts/format.ts';
import { meaningsText, reasonText } from './list-words.ts';
import { AnswerMark } from './marks.tsx';
import { texts } from './texts/texts.ts';
import { worstAnswersFirst } from './trend.ts';

interface AnswersProps {
  results: readonly BlacklistResult[];
  notAsked: readonly BlacklistNotAsked[];
}

/** What every list answered, with the reason and the way out. */
export function Answers({ results, notAsked }: AnswersProps) {
  return (
    <section className="panel">
      <h2>{texts.answers.title}</h2>
      <ul className="rows">
        {worstAnswersFirst(results).map((result) => (
          <Answer key={result.provider} result={result} />
        ))}
        {notAsked.map(({ provider, name, reason }) => (
          <li key={provider} className="row answer">
            <span className="answer-list soft">{name}</span>
            <span className="row-main">
              {texts.answers.notAsked}
              <span className="row-detail wrap">{reasonText(reason)}</span>
            </span>
          </li>
        ))}
      </ul>
      <p className="soft answer-note">{texts.answers.notCounted}</p>
    </section>
  );
}

function Answer({ result }: { result: BlacklistResult }) {
  const { name, status, policy, meanings, reason, response_time_ms: time, delist_url, addresses } = result;
  const listed = addresses.filter((one) => one.status === 'listed');
  return (
    <li className="row answer">
      <span className="answer-list strong">{name}</span>
      <span className="row-main">
        <AnswerMark status={status} policy={policy} />
        {meanings.length === 0 ? null : <span className="soft"> · {meaningsText(meanings)}</span>}
        {listed.map(({ address }) => (
          <span key={address} className="row-detail wrap">
            {texts.answers.address(address, texts.answers.status.listed)}
          </span>
        ))}
        {reason === null ? null : (
          <bdi className="row-detail wrap">
            <ExternalLink url={reason}>{reasonText(reason)}</ExternalLink>
          </bdi>
        )}
      </span>
      <span className="row-side">
        {status === 'listed' && delist_url !== null ? (
          <ExternalLink url={delist_url}>
            {texts.answers.delist}
            <span className="only-spoken"> {name}</span>
          </ExternalLink>
        ) : time === null ? null : (
          milliseconds(time)
        )}
      </span>
    </li>
  );
}

/** The lists while they are asked: the shape of their answers. */
export function Asking({ providers }: { providers: readonly BlacklistProvider[] }) {
  return (
    <section className="panel" aria-hidden="true">
      <h2>{texts.answers.title}</h2>
      <ul className="rows">
        {providers.map(({ id, name }) => (
          <li key={id} className="row answer">
            <span className="answer-list strong">{name}</span>
            <span className="row-main soft">{texts.answers.asking}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
