import { Button } from '@mantine/core';
import { Dialog } from '../../components/dialog.tsx';
import { capital } from '../../texts/format.ts';
import { texts } from './texts/texts.ts';
import type { OverQuota, Plan } from './way.ts';

interface OverQuotaDialogProps {
  /** Empty while nothing is over the limits. */
  over: readonly OverQuota[];
  plan: Plan;
  isPending: boolean;
  accept(plan: Plan, names: string[]): void;
  close(): void;
}

/** What a smaller plan does not allow, before it is changed anyway. */
export function OverQuotaDialog({ over, plan, isPending, accept, close }: OverQuotaDialogProps) {
  return (
    <Dialog title={texts.overTitle(plan)} isOpen={over.length > 0} close={close}>
      <p>{texts.overText}</p>
      <ul className="rows">
        {over.map((one) => (
          <li key={one.name} className="over-quota">
            <p className="strong">{overText(one)}</p>
            <p className="row-detail wrap">{one.detail}</p>
            {one.examples.length === 0 ? null : (
              <p className="row-detail wrap">
                {texts.examples} <bdi>{one.examples.join(', ')}</bdi>
              </p>
            )}
          </li>
        ))}
      </ul>
      <div className="page-actions">
        <Button
          onClick={() =>
            accept(
              plan,
              over.map(({ name }) => name),
            )
          }
          loading={isPending}
        >
          {texts.changeAnyway}
        </Button>
        <Button variant="default" onClick={close}>
          {texts.keep}
        </Button>
      </div>
    </Dialog>
  );
}

/** `count` is how many are too many, or have settings that the plan does not allow. */
function overText({ name, count, limit }: OverQuota): string {
  const settings = texts.overSettings[name];
  if (settings !== undefined) return settings(count);
  const what = capital(texts.quotas[name] ?? name.replaceAll('_', ' '));
  return limit === 0 ? texts.notIncluded(what, count) : texts.overLimit(what, count, limit);
}
