import { useMayWrite } from '../../app/account.ts';
import { PageHead } from '../../components/page/page-head.tsx';
import { AddForm } from './add-form.tsx';
import { texts } from './texts/texts.ts';
import './blacklists.css';

export function NewBlacklistMonitorPage() {
  const mayWrite = useMayWrite();
  return (
    <>
      <PageHead title={texts.form.title} sentence={mayWrite ? texts.form.lead : texts.empty.mayNotAdd} />
      {mayWrite ? <AddForm /> : null}
    </>
  );
}
