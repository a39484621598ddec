import type { SentInvitation } from '../../api/types.ts';
import { CopyField } from '../../components/form/copy-field.tsx';
import { texts } from './texts/texts.ts';

/** The link of an invitation that could not go by e-mail, which is shown only now. */
export function HandedLink({ sent: { email, accept_url: link } }: { sent: SentInvitation }) {
  if (link === undefined) return null;
  return (
    <div className="note stack" role="status">
      <p className="wrap">{texts.handOver(email)}</p>
      <CopyField label={texts.linkOf(email)} value={link} />
    </div>
  );
}
