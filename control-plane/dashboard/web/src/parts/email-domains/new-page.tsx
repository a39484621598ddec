import { useMayWrite } from '../../app/account.ts';
import { PageHead } from '../../components/page/page-head.tsx';
import { DomainForm } from './domain-form.tsx';
import { texts } from './texts/texts.ts';
import './email-domains.css';

export function NewDomainPage() {
  const mayWrite = useMayWrite();
  return (
    <>
      <PageHead title={texts.form.title} sentence={mayWrite ? texts.empty : texts.viewer} />
      {mayWrite ? <DomainForm /> : null}
    </>
  );
}
