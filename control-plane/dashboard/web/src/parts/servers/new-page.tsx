import { useNavigate } from '@tanstack/react-router';
import { useMayWrite } from '../../app/account.ts';
import { JoinTokens } from '../../components/join-tokens/join-tokens.tsx';
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
      {mayWrite ? (
        <div className="stack">
          <Join started={() => undefined} done={() => void navigate({ to: '/servers' })} />
          <JoinTokens path="/v1/servers/join-tokens" placeOf={() => null} />
        </div>
      ) : null}
    </>
  );
}
