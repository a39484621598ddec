import type { Channel } from '../../api/types.ts';
import { Said } from '../../components/said.tsx';
import { deliveryErrorText } from '../../texts/delivery-errors/delivery-error.ts';
import { texts } from './texts/texts.ts';

/** When the channel was last notified, whether that worked, and why it did not. */
export function LastDelivery({ channel: { last_delivery: last } }: { channel: Channel }) {
  if (last === null) return <span className="row-detail wrap">{texts.noDelivery}</span>;
  const { at, status, error } = last;
  return (
    <span className={status === 'failed' ? 'row-detail wrap tone-down' : 'row-detail wrap'}>
      <Said words={(time) => texts.lastDelivery[status](time(at, 'at'))} />
      {error === null ? null : (
        <>
          {' '}
          <bdi>{deliveryErrorText(error)}</bdi>
        </>
      )}
    </span>
  );
}
