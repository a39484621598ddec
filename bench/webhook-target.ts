import { createServer } from 'node:http';

/**
 * A customer's webhook endpoint for benchmarks, as a process of its own: `node webhook-target.js PORT`. Takes every
 * POST; `GET /count` tells how many came and how many different notifications they were.
 */
const port = Number(process.argv[2]);
const ids = new Set<string>();
let requests = 0;

createServer((request, response) => {
  if (request.url === '/count') {
    response.end(JSON.stringify({ requests, notifications: ids.size }));
    return;
  }
  request.resume().once('end', () => {
    requests += 1;
    ids.add(String(request.headers['webhook-id']));
    response.writeHead(204).end();
  });
}).listen(port, '127.0.0.1', 4096);

process.on('disconnect', () => process.exit(0));
