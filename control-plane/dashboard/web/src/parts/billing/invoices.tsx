import type { Billing } from '../../api/types.ts';
import { Time } from '../../components/time/time.tsx';
import { currentLanguage } from '../../texts/language.ts';
import { texts } from './texts/texts.ts';

/** The newest invoices, if something was bought. */
export function Invoices({ invoices }: { invoices: Billing['invoices'] }) {
  if (invoices.length === 0) return null;
  return (
    <section className="panel">
      <h2>{texts.invoices}</h2>
      <ul className="rows">
        {invoices.map(({ id, number, status, currency, amount, created_at: at, url }) => (
          <li key={id} className="row">
            <span className="row-main wrap">
              {url !== null && /^https?:\/\//i.test(url) ? (
                <a href={url} target="_blank" rel="noreferrer noopener">
                  {number ?? id}
                </a>
              ) : (
                (number ?? id)
              )}
              <span className={`row-detail ${status === 'paid' ? '' : 'tone-down'}`}>
                <Time at={at} /> · {texts.invoiceStatus[status]}
              </span>
            </span>
            <span className="row-side">{money(amount, currency)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** `amount` is in the smallest unit of the currency, of which a yen has none. */
function money(amount: number, currency: string): string {
  const format = new Intl.NumberFormat(currentLanguage(), { style: 'currency', currency: currency.toUpperCase() });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
