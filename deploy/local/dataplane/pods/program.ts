// The program that every Pod of a revision runs: answers each request with who it is.
//
// PORT=8080 SITE=site-1 K_REVISION=hello-00001 HOSTNAME=<Pod> IMAGE=<image> node …/program.ts
// A request with ?wait=500 is answered after 500 ms, so that requests can be made to overlap. One with
// ?env=TARGET is told that variable, too.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOf } from '../../standins/answer.ts';

const { PORT, SITE = '', K_REVISION = '', HOSTNAME = '', IMAGE = '' } = process.env;
const LONGEST_WAIT_MS = 60_000;

const server = createServer((request, response) => {
  request.resume();
  const { searchParams } = new URL(request.url ?? '/', 'http://any');
  const wait = Number(searchParams.get('wait') ?? 0);
  const variable = searchParams.get('env');
  const said = variable === null ? '' : `${variable}=${process.env[variable] ?? ''}\n`;
  void sleep(Math.min(LONGEST_WAIT_MS, wait || 0)).then(() => {
    const { status, headers, body } = answerOf({ name: HOSTNAME, revision: K_REVISION, image: IMAGE }, SITE);
    response
      .writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers })
      .end(`${body}${said}`);
  });
});
// queue-proxy keeps connections open, and must not find one closed just when it sends a request.
server.keepAliveTimeout = 0;
// A container without a port answers nobody, and runs nevertheless.
if (PORT === undefined) setInterval(() => undefined, 2 ** 30);
else server.listen(Number(PORT));
process.once('SIGTERM', () => {
  server.close(() => process.exit(0));
  server.closeIdleConnections();
});
