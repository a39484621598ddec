/** What the attacker knows and may use. It is sent to the process of the attacker as JSON. */
export interface AttackPlan {
  /** The HTTP API. */
  url: string;
  /** `127.0.0.1:<port>` of the gRPC port. */
  grpcAddress: string;
  /** SHA-256 of the certificate authority, which is in every join token. */
  fingerprint: string;
  /** The API key of a customer. */
  apiKey: string;
  /** An agent that joined with a valid token. */
  agent: Credential;
  /** A drained probe that never had a monitor. */
  probe: Credential & { location: string };
  /** The monitor whose outage the probe tries to hide. */
  hiddenMonitorId: string;
}

/** The credential of a node. */
export interface Credential {
  id: string;
  credential: string;
}

/** How often something happened, by its name: `bodies 422`. Names that start with `largest` are maximums. */
export type Counts = Record<string, number>;

/** Counts what an attack sees. */
export interface Tally {
  add(what: string, count?: number): void;
  /** Keeps the largest value. */
  largest(what: string, value: number): void;
}

/** One kind of attack. `round` is repeated until the end. */
export interface Attack {
  round(): Promise<void>;
  end(): void;
}

/** Starts an attack and prepares its first round. */
export type StartAttack = (plan: AttackPlan, tally: Tally) => Promise<Attack>;

/** Sends a request with the key of the customer. Resolves with the status, the headers and the text of the response. */
export async function request(
  { url, apiKey }: Pick<AttackPlan, 'url' | 'apiKey'>,
  method: string,
  path: string,
  body: string,
  type = 'application/json',
): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': type },
    body,
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
