import { createServer } from 'node:http';

/**
 * A customer's site for benchmarks, as a process of its own: `node http-target.js PORT`. Answers 200 with 1 kB to
 * everything and counts; `GET /count` tells how many checks it has seen.
 */
const port = Number(process.argv[2]);
const page = Buffer.alloc(1024, 'picket ');
let seen = 0;

createServer((request, response) => {
  if (request.url === '/count') {
    response.end(String(seen));
    return;
  }
  seen += 1;
  response.writeHead(200, { 'content-type': 'text/plain', 'content-length': page.length });
  response.end(page);
}).listen(port, '127.0.0.1', 4096);

process.on('disconnect', () => process.exit(0));
