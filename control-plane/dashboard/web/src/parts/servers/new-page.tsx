import { useNavigate } from '@tanstack/react-router';
import { useMayWrite } from '../../app/account.ts';
import { PageHead } from '../../components/page/page-head.tsx';
import { Join } from './join/join.tsx';
import { texts } from './texts/texts.ts';
import './servers.css';

export function NewServerPage() {
  const mayWrite = useMayWrite();
  const navigate = useNavigate();
  return (
    <>
      <PageHead title={texts.join.title} sentence={mayWrite ? texts.join.lead : texts.empty.mayNotAdd} />
      {mayWrite ? <Join started={() => undefined} done={() => void navigate({ to: '/servers' })} /> : null}
    </>
  );
}
