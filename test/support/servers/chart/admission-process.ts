// The webhook's server and rules as a process of their own, for tests that ask what its memory stands. Writes
// its port, and ends with its parent.
import { nothingPending } from '../../../../admission/pending.ts';
import { issue } from '../../../../tls/certificate.ts';
import { reply } from '../../../../workers/webhook/answer.ts';
import { serveAdmission } from '../../../../workers/webhook/door/server.ts';
import { onHub } from '../../builders/admission.ts';

const answering = { ...onHub(), pending: nothingPending(), cacheLagMs: 1_000 };
const { port } = await serveAdmission({
  address: '127.0.0.1:0',
  serving: await issue(['127.0.0.1'], Date.now()),
  reply: (path, text) => reply(path, text, answering),
  onError: () => undefined,
});
process.stdout.write(`${port}\n`);
process.stdin.on('end', () => process.exit(0)).resume();
