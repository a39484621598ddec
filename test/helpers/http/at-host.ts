import { request } from 'node:http';

interface AnswerAtHost {
  status: number;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests assert the shapes.
  body: any;
}

/** Sends a request with this `Host`, which `fetch` does not let a caller choose. `body` of the answer is `{}` without JSON. */
export function atHost(
  host: string,
  url: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<AnswerAtHost> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent: false, headers: { ...headers, host } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const isJson = /json/.test(response.headers['content-type'] ?? '') && text !== '';
        resolve({ status: response.statusCode ?? 0, text, body: isJson ? JSON.parse(text) : {} });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
