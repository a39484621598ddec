import { SettingError, type Settings } from '../../../kernel/settings.js';
import type { PlanName } from '../../plans/plans.js';

export interface StripeSettings {
  secretKey: string;
  webhookSecret: string;
  /** The ids of the prices of the plans that can be bought. */
  prices: ReadonlyMap<PlanName, string>;
  /** Where the API is, for tests; null: Stripe's own address. */
  api: string | null;
}

const STRIPE_PRICES = { Pro: 'PICKET_STRIPE_PRICE_PRO', Enterprise: 'PICKET_STRIPE_PRICE_ENTERPRISE' } as const;

/** Returns the settings of Stripe; null without any. Throws SettingError when they are incomplete. */
export function readStripe(settings: Settings): StripeSettings | null {
  const secretKey = stripeText(settings, 'PICKET_STRIPE_SECRET_KEY');
  const webhookSecret = stripeText(settings, 'PICKET_STRIPE_WEBHOOK_SECRET');
  const prices = Object.entries(STRIPE_PRICES).flatMap(([plan, variable]): [PlanName, string][] => {
    const price = stripeText(settings, variable);
    return price === null ? [] : [[plan as PlanName, price]];
  });
  const api = settings.optionalUrl('PICKET_STRIPE_API', ['http:', 'https:']);
  if (secretKey === null && webhookSecret === null && prices.length === 0) return null;
  if (secretKey === null) throw new SettingError('PICKET_STRIPE_SECRET_KEY', 'is missing: the other settings need it');
  if (webhookSecret === null) {
    throw new SettingError('PICKET_STRIPE_WEBHOOK_SECRET', 'is missing: without it, no purchase would take effect');
  }
  if (prices.length === 0) {
    throw new SettingError(STRIPE_PRICES.Pro, 'and PICKET_STRIPE_PRICE_ENTERPRISE are missing: one of them is needed');
  }
  return { secretKey, webhookSecret, prices: new Map(prices), api };
}

function stripeText(settings: Settings, variable: string): string | null {
  const value = settings.optionalText(variable);
  if (value === null || /^[\x21-\x7e]{1,300}$/.test(value)) return value;
  // Not what was given: it may be a secret.
  throw new SettingError(variable, 'must be at most 300 printable ASCII characters without spaces');
}
