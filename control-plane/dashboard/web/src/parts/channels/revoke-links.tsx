import { useMutation } from '@tanstack/react-query';
import type { Channel } from '../../api/types.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { confirmedCall } from '../../components/confirm-identity/confirmed-call.ts';
import { texts } from './texts/texts.ts';

/** Ends the links with which receivers acknowledge and silence without logging in, for example after somebody left. */
export function RevokeLinks({ channel }: { channel: Channel }) {
  const revoke = useMutation({
    mutationFn: () => confirmedCall('POST', '/v1/on-call-links/revoke', { channel_id: channel.id }),
  });
  return (
    <section className="panel form-panel">
      <h2>{texts.links}</h2>
      <p>{texts.linksHelp}</p>
      {revoke.isSuccess ? (
        <p className="note good" role="status">
          {texts.linksRevoked}
        </p>
      ) : (
        <div className="page-actions">
          <ConfirmButton label={texts.revokeLinks} title={texts.revokeLinksTitle} action={revoke}>
            {texts.revokeLinksText}
          </ConfirmButton>
        </div>
      )}
    </section>
  );
}
