/** Opens a page of Stripe in place of this one. Only web addresses are opened. */
export function openStripe(url: string): void {
  if (/^https?:\/\//i.test(url)) location.assign(url);
}
