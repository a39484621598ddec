import type { Locator, Page } from 'playwright-core';

/** More than any page has places for the focus. */
const TABS_MAX = 150;

/** How a person uses a page. Each counts what they did. */
export interface Hands {
  /** Clicks, and texts and keys typed: a text counts once. */
  inputs(): number;
  press(target: Locator): Promise<void>;
  /** Replaces what is in a field. */
  type(field: Locator, text: string): Promise<void>;
  choose(list: Locator, value: string): Promise<void>;
}

/** Points and clicks; types only texts. */
export function mouse(page: Page): Hands {
  let inputs = 0;
  async function click(target: Locator): Promise<void> {
    // It scrolls there, waits until the place is at rest, shows no other element and can be pressed, and then moves the
    // pointer there. A row that is drawn anew meanwhile is looked for again.
    await target.click();
    inputs += 1;
  }
  return {
    inputs: () => inputs,
    press: click,
    async type(field, text) {
      await click(field);
      await page.keyboard.press('Control+A');
      await page.keyboard.type(text);
      inputs += 1;
    },
    async choose(list, value) {
      // The open list belongs to the window system, where the page cannot be clicked: one click opens it, one chooses.
      await list.selectOption(value);
      inputs += 2;
    },
  };
}

/** Uses nothing but keys. */
export function keyboard(page: Page): Hands {
  let inputs = 0;
  async function key(name: string): Promise<void> {
    await page.keyboard.press(name);
    inputs += 1;
  }
  /** Presses Tab until the element has the focus. */
  async function reach(target: Locator): Promise<void> {
    await target.waitFor();
    for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
      if (await target.evaluate((element) => Reflect.get(element, 'matches').call(element, ':focus'))) return;
      await key('Tab');
    }
    throw new Error(`no Tab leads to ${target}`);
  }
  return {
    inputs: () => inputs,
    async press(target) {
      await reach(target);
      await key('Enter');
    },
    async type(field, text) {
      await reach(field);
      await key('Control+A');
      await page.keyboard.type(text);
      inputs += 1;
    },
    async choose(list, value) {
      await reach(list);
      const values = await list
        .locator('option')
        .evaluateAll((options) => options.map((one) => Reflect.get(one, 'value')));
      const steps = values.indexOf(value) - values.indexOf(await list.inputValue());
      for (let step = 0; step < Math.abs(steps); step += 1) await key(steps > 0 ? 'ArrowDown' : 'ArrowUp');
    },
  };
}
