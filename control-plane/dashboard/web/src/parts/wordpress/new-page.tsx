import { useMayWrite } from '../../app/account.ts';
import { PageHead } from '../../components/page/page-head.tsx';
import { SiteForm } from './site-form.tsx';
import { texts } from './texts/texts.ts';
import './wordpress.css';

export function NewSitePage() {
  const mayWrite = useMayWrite();
  return (
    <>
      <PageHead title={texts.form.title} sentence={mayWrite ? texts.form.lead : texts.form.viewer} />
      {mayWrite ? <SiteForm /> : null}
    </>
  );
}
