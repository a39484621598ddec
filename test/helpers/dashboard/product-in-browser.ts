import type { Test } from 'tap';
import { startChromium } from '../machine/chromium.js';
import { type Nginx, nginxSite } from '../machine/nginx.js';
import { type Receiver, startReceiver } from '../machine/webhook-receiver.js';
import { type Product, startProduct } from '../processes/product.js';
import { type ExaminedVisitor, examinedVisitor } from './examined-visitor.js';

/** All of Picket with a site to watch, a receiver of its alerts, and a browser window in which nobody has logged in. */
export interface ProductInBrowser extends ExaminedVisitor {
  site: Nginx;
  product: Product;
  receiver: Receiver;
}

/** Starts them with these settings. All of it ends with the test. */
export async function startProductInBrowser(
  t: Pick<Test, 'teardown'>,
  settings: Record<string, string> = {},
): Promise<ProductInBrowser> {
  const site = await nginxSite('<h1>Shop</h1>');
  await site.start();
  const product = await startProduct(settings);
  const receiver = await startReceiver();
  const browser = await startChromium();
  t.teardown(async () => {
    await browser.close();
    await receiver.close();
    await product.remove();
    await site.remove();
  });
  return { ...(await examinedVisitor(browser)), site, product, receiver };
}
