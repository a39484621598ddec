import type { Browser, Page } from 'playwright-core';
import { addVirtualAuthenticator, type VirtualCredential } from './virtual-authenticator.js';

export interface PageAnswer {
  status: number;
  body: ReturnType<typeof JSON.parse>;
}

/** A person with a browser of their own: a page of some origin and a virtual authenticator. */
export interface BrowserPerson {
  /** Opens a blank page of this origin. */
  open(origin: string): Promise<void>;
  /** Sends a request from the page, with its cookies. */
  call(method: string, path: string, body?: unknown): Promise<PageAnswer>;
  /** `navigator.credentials.create()`, as JSON. */
  create(options: unknown): Promise<object>;
  /** `navigator.credentials.get()`, as JSON. */
  get(options: unknown): Promise<object>;
  credentials(): Promise<VirtualCredential[]>;
  /** Replaces the credentials of the authenticator by this one. */
  replaceCredential(credential: VirtualCredential): Promise<void>;
  close(): Promise<void>;
}

/** Opens a browser profile with a virtual authenticator. */
export async function browserPerson(browser: Browser): Promise<BrowserPerson> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const authenticator = await addVirtualAuthenticator(page);
  return {
    open: (origin) => openBlank(page, origin),
    call: (method, path, body) => page.evaluate(callInPage, { method, path, body }),
    create: (options) => page.evaluate(createInPage, options),
    get: (options) => page.evaluate(getInPage, options),
    credentials: authenticator.credentials,
    replaceCredential: (credential) => authenticator.replace([credential]),
    close: () => context.close(),
  };
}

/** The browser believes that the page is of that origin; nothing needs to listen there. */
async function openBlank(page: Page, origin: string): Promise<void> {
  const url = `${origin}/blank-page-of-the-test`;
  await page.route(url, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Test</title>' }),
  );
  await page.goto(url);
}

async function callInPage({ method, path, body }: { method: string; path: string; body: unknown }) {
  const response = await fetch(path, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
}

/** The functions below run in the browser, whose types this project does not know. */
export async function createInPage(options: unknown): Promise<object> {
  const window = globalThis as unknown as ReturnType<typeof JSON.parse>;
  const publicKey = window.PublicKeyCredential.parseCreationOptionsFromJSON(options);
  return (await window.navigator.credentials.create({ publicKey })).toJSON();
}

async function getInPage(options: unknown): Promise<object> {
  const window = globalThis as unknown as ReturnType<typeof JSON.parse>;
  const publicKey = window.PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return (await window.navigator.credentials.get({ publicKey })).toJSON();
}
