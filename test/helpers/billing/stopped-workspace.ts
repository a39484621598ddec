import { join } from 'node:path';
import type { Test } from 'tap';
import type { Mailbox } from '../machine/mailbox.js';
import { temporaryFolder } from '../machine/temporary-folder.js';
import { linkIn, mailTo } from '../people/mail.js';
import { type Person, personAt } from '../people/person.js';
import { startAgentProcess } from '../processes/agent-process.js';
import type { ControlPlane } from '../processes/control-plane.js';
import type { NodeProcess } from '../processes/node-process.js';
import type { ApiAnswer } from '../processes/product.js';

const PASSWORD = 'gravel onion tuesday lamp';

/** A workspace of the product with a person who owns it, and an API key. */
export interface OwnedWorkspace {
  id: string;
  name: string;
  owner: Person;
  /** Sends a request with the API key. */
  api(method: string, path: string, body?: unknown): Promise<ApiAnswer>;
  /** Logs the owner in with a new browser. */
  logIn(): Promise<Person>;
}

/** A person signs up and confirms the address; an operator gives the workspace the Enterprise plan. */
export async function ownedWorkspace(plane: ControlPlane, mailbox: Mailbox, name: string): Promise<OwnedWorkspace> {
  const [owner, email] = [personAt(plane.url), `owner-of-${name}@example.com`];
  const signedUp = await owner.send('POST', '/v1/auth/signup', { email, password: PASSWORD, workspace_name: name });
  expectStatus(signedUp, 201);
  const { token } = linkIn(await mailTo(mailbox, email, /^Confirm/));
  expectStatus(await owner.send('POST', '/v1/auth/email/confirm', { token }), 204);
  const id: string = signedUp.body.data.workspace.id;
  expectStatus(await plane.api('PATCH', `/v1/admin/workspaces/${id}`, { plan: 'Enterprise' }), 200);
  const made = await owner.send('POST', '/v1/api-keys', { name: 'of the test' });
  expectStatus(made, 201);
  const authorization = `Bearer ${made.body.data.key}`;
  return {
    ...{ id, name, owner },
    api: (method, path, body) => plane.api(method, path, body, { authorization }),
    async logIn() {
      const person = personAt(plane.url);
      expectStatus(await person.send('POST', '/v1/auth/login', { email, password: PASSWORD }), 200);
      return person;
    },
  };
}

/** Returns the `data` of an answer with this status. Throws for another status. */
export function expectStatus(answer: Pick<ApiAnswer, 'status' | 'body'>, status: number): ApiAnswer['body'] {
  if (answer.status !== status) throw new Error(`status ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body?.data;
}

/** Starts an agent with this join token and a folder of its own. */
export function joinedAgent(t: Test, token: string): { agent: NodeProcess; dataDir: string } {
  const dataDir = join(temporaryFolder(t), 'agent');
  const agent = startAgentProcess(['--data', dataDir, '--join', token]);
  t.teardown(() => agent.kill('SIGKILL'));
  return { agent, dataDir };
}
