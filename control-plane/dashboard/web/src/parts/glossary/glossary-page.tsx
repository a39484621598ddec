import { PageHead } from '../../components/page/page-head.tsx';
import { texts as app } from '../../texts/app/texts.ts';
import { texts } from './texts/texts.ts';
import './glossary.css';

/** The terms that hold everywhere. The control plane serves them, so that they are there without the internet. */
export function GlossaryPage() {
  return (
    <>
      <PageHead title={app.frame.glossary} sentence={texts.lead} />
      <dl className="panel glossary">
        {Object.entries(texts.terms).map(([key, { term, meaning }]) => (
          <div key={key} className="glossary-line">
            <dt className="strong">{term}</dt>
            <dd>{withCode(meaning)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** Names of the API, which are between backticks, as code. */
function withCode(text: string) {
  return text.split('`').map((piece, index) => (index % 2 === 1 ? <code key={piece}>{piece}</code> : piece));
}
