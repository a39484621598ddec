import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { RecoveryCodes as NewCodes, One } from '../../../api/types.ts';
import { ConfirmButton } from '../../../components/confirm-button.tsx';
import { confirmedCall } from '../../../components/confirm-identity/confirmed-call.ts';
import { texts as appTexts } from '../../../texts/app/texts.ts';
import { texts } from '../texts/texts.ts';

const words = texts.recoveryCodes;

/** New codes, which are shown once: until the person says that they are stored. */
export function RecoveryCodes({ codes, close }: { codes: readonly string[]; close(): void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => heading.current?.focus(), []);
  const copy = async () => {
    await navigator.clipboard?.writeText(codes.join('\n')).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return (
    <section className="panel">
      <h2 ref={heading} tabIndex={-1}>
        {words.newTitle}
      </h2>
      <div className="stack">
        <p>{words.newText}</p>
        <ul className="recovery-codes mono" aria-label={words.title}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="page-actions">
          <Button component="a" href={fileOf(codes)} download="picket-recovery-codes.txt">
            {words.download}
          </Button>
          {navigator.clipboard === undefined ? null : (
            <Button variant="default" onClick={() => void copy()}>
              {isCopied ? appTexts.copy.copied : appTexts.copy.copy}
            </Button>
          )}
          <Button variant="default" onClick={close}>
            {words.stored}
          </Button>
        </div>
      </div>
    </section>
  );
}

function fileOf(codes: readonly string[]): string {
  const text = [words.fileTitle(location.host), '', ...codes, ''].join('\r\n');
  return `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`;
}

interface NewRecoveryCodesProps {
  left: number;
  changed(codes: readonly string[] | null): Promise<void>;
}

/** How many codes are left, and new ones in their place. */
export function NewRecoveryCodes({ left, changed }: NewRecoveryCodesProps) {
  const renew = useMutation({
    mutationFn: async () => (await confirmedCall<One<NewCodes>>('POST', '/v1/auth/mfa/recovery-codes')).data,
    onSuccess: ({ recovery_codes }) => changed(recovery_codes),
  });
  return (
    <section className="panel">
      <h2>{words.title}</h2>
      <div className="stack">
        <p>
          {words.text} {words.left(left)}
        </p>
        <div className="page-actions">
          <ConfirmButton key={renew.submittedAt} label={words.renew} title={words.renewTitle} action={renew}>
            {words.renewText}
          </ConfirmButton>
        </div>
      </div>
    </section>
  );
}
