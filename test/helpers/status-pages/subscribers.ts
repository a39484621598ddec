import type { Test } from 'tap';
import type { StatusPage } from '../../../control-plane/status-pages/schema.js';
import { type ReceivedMail, startMailbox } from '../machine/mailbox.js';
import { waitFor } from '../wait.js';
import { PATH, startStatusPages } from './app.js';

const STEP_MS = 250;

/** A form of a status page as a browser sends it. */
interface Form {
  language?: string;
  components?: readonly string[];
  headers?: Record<string, string>;
}

/** Status pages with a mail server, and the tasks that notify subscribers. All of it ends with the test. */
export async function startSubscribers(t: Pick<Test, 'teardown'>) {
  const mailbox = await startMailbox();
  const pages = await startStatusPages({ smtpUrl: mailbox.url });
  const { app, clock, jobs, mongo } = pages;
  for (const job of jobs) await job.start();
  t.teardown(async () => {
    const stopped = Promise.all(jobs.map((job) => job.stop()));
    await Promise.all([stopped, clock.advance(STEP_MS)]);
    await pages.stop();
    await mailbox.close();
  });

  /** Moves the clock in small steps until it is so. */
  const until = (what: string, check: () => boolean | Promise<boolean>) =>
    waitFor(what, 60_000, async () => {
      await clock.advance(STEP_MS);
      return check();
    });
  /** Moves the clock while a request is under way. */
  async function during<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    await until('the answer', () => isDone);
    return done;
  }
  const send = async (method: string, path: string, init: RequestInit = {}) => {
    const response = await during(fetch(`${app.url}${path}`, { method, redirect: 'manual', ...init }));
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const subscribe = (slug: string, address: string, { language = 'en', components = [], headers = {} }: Form = {}) =>
    send('POST', `/status/${slug}/subscribe`, {
      body: new URLSearchParams([['address', address], ...components.map((id): [string, string] => ['component', id])]),
      headers: { 'accept-language': language, ...headers },
    });
  async function mailsTo(address: string, count = 1): Promise<ReceivedMail[]> {
    const found = () => mailbox.mails.filter(({ to }) => to.includes(address));
    await until(`${count} mails to ${address}`, () => found().length >= count);
    return found();
  }
  const press = (link: string, init: RequestInit = {}) => {
    const url = new URL(link);
    return send('POST', url.pathname, { body: new URLSearchParams({ t: url.searchParams.get('t') ?? '' }), ...init });
  };
  return {
    ...pages,
    mailbox,
    until,
    send,
    subscribe,
    mailsTo,
    press,
    get: (link: string, language = 'en') => send('GET', pathOf(link), { headers: { 'accept-language': language } }),
    /** What a mail client sends for its button (RFC 8058). */
    oneClick: (link: string) =>
      send('POST', pathOf(link), { body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }),
    /** Subscribes and confirms, and waits until the page is watched. */
    async subscribed(page: Pick<StatusPage, 'id' | 'slug'>, address: string, form: Form = {}) {
      const before = mailbox.mails.filter(({ to }) => to.includes(address)).length;
      await subscribe(page.slug, address, form);
      const mails = await mailsTo(address, before + 1);
      await press(confirmLinkOf(mails.at(-1)), {});
      await until('the page to be watched', async () => {
        const primed = { _id: page.id, primed: true };
        return (await mongo.db.collection<typeof primed>('status_page_watches').countDocuments(primed)) === 1;
      });
    },
    /** Writes an incident, whose first update subscribers get. */
    incident: async (page: Pick<StatusPage, 'id'>, body: object) => {
      const created = await app.request<{ id: string }>('POST', `${PATH}/${page.id}/incidents`, { body });
      if (created.status !== 201) throw new Error(created.text);
      return created.body.data.id;
    },
    /** Waits until everything that has happened is written to the outbox, and is sent. */
    async settled() {
      const db = mongo.db;
      await until('the next compilation', async () => {
        const due = { next_at_ms: { $lte: clock.now() } };
        return (await db.collection('status_page_watches').countDocuments(due)) === 0;
      });
      await until('everything to be sent', async () => {
        const open = await db.collection('status_page_broadcasts').countDocuments({ open: true });
        const waiting = await db.collection('mails').countDocuments({ state: { $in: ['pending', 'leased'] } });
        return open + waiting === 0;
      });
    },
  };
}

function pathOf(link: string): string {
  const { pathname, search } = new URL(link);
  return `${pathname}${search}`;
}

/** Returns the link of a mail that asks. */
export function confirmLinkOf(mail: ReceivedMail | undefined): string {
  return /https?:\S+confirm-subscription\?t=\S+/.exec(mail?.parts['text/plain'] ?? '')?.[0] ?? 'http://none/';
}

/** Returns the URL of the header that ends the subscription. */
export function unsubscribeLinkOf(mail: ReceivedMail | undefined): string {
  return /^<(.*)>$/.exec(mail?.headers['list-unsubscribe'] ?? '')?.[1] ?? 'http://none/';
}
