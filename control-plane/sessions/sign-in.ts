import type { UserDocument } from '../accounts/documents.js';
import type { Actor } from '../actor.js';
import type { Client } from '../http/client/client.js';
import type { Transaction } from '../storage/transaction.js';
import type { SignInMethod } from './documents.js';

export interface SignInInput {
  user: UserDocument;
  client: Client;
  method: SignInMethod;
  /** Whether the person proved a second factor, or a passkey, which is two factors in one. */
  secondFactor: boolean;
  /** The workspace to open. Without it the last one, else the newest membership, else a new Free workspace. */
  workspaceId?: string;
  /** The workspace whose identity provider vouches for the person. The session then works only in that workspace. */
  providerWorkspaceId?: string;
  /** When the person proved who they are; now, where it is missing. */
  confirmedAtMs?: number;
}

/**
 * The common end of every way to log in, after the person has proved who they are. It opens a new session and ends the
 * one whose cookie came with the request, records `auth.login`, and sends a mail when the device is new.
 */
export type SignIn = (tx: Transaction, input: SignInInput) => Promise<{ actor: Actor; cookies: string[] }>;
