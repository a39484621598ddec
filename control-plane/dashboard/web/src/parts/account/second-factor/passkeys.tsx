import { useQuery } from '@tanstack/react-query';
import { ConfirmFirst } from '../../../components/page/confirm-first.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { canUsePasskeys } from '../../../entrance/passkey.ts';
import { passkeysQuery } from '../queries.ts';
import { texts } from '../texts/texts.ts';
import { AddPasskey } from './add-passkey.tsx';
import { PasskeyRow } from './passkey-row.tsx';

const words = texts.passkeys;

interface PasskeysProps {
  changed(codes: readonly string[] | null): Promise<void>;
}

/** The passkeys of the person. */
export function Passkeys({ changed }: PasskeysProps) {
  const { data: passkeys, error, refetch } = useQuery(passkeysQuery);
  if (passkeys === undefined) return error === null ? null : <ProblemNote error={error} retry={() => void refetch()} />;
  return (
    <section className="panel">
      <h2>{words.title}</h2>
      <div className="stack">
        <p>{words.text}</p>
        {passkeys.length === 0 ? null : (
          <ul className="rows" aria-label={words.title}>
            {passkeys.map((passkey) => (
              <li key={passkey.id} className="account-row">
                <PasskeyRow passkey={passkey} changed={() => changed(null)} />
              </li>
            ))}
          </ul>
        )}
        {canUsePasskeys() ? (
          <ConfirmFirst>
            <AddPasskey changed={changed} />
          </ConfirmFirst>
        ) : (
          <p className="soft">{words.notHere}</p>
        )}
      </div>
    </section>
  );
}
