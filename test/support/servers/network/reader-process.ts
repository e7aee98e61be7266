// What the reader does with the answers of sites as a process of its own, for tests that ask what its memory
// stands. Takes the address and the authority of what leads to the sites, and how many sites and questions
// there are. Writes how many Pods and how many sites without an answer each question has found, and ends with
// its parent.
import { readFileSync } from 'node:fs';
import { answerPods } from '../../../../reach/answer/pods.ts';
import { ways } from '../../../../reach/site/way.ts';
import type { Kube } from '../../../../kube/client.ts';
import { aQuestion, SHOP } from '../../builders/reach.ts';

const [, , url = '', authority = '', sites = '1', questions = '1'] = process.argv;
const names = Array.from({ length: Number(sites) }, (_, index) => `site-${index}`);
const capp = {
  metadata: { ...SHOP, uid: 'uid-1' },
  status: { sites: names.map((clusterName) => ({ clusterName, role: 'Serving' })) },
};
const secret = { data: { token: Buffer.from('t').toString('base64') } };
const hub = {
  getMetadata: async () => ({}),
  get: async ({ kind }: { readonly kind: string }) => (kind === 'Secret' ? secret : capp),
} as unknown as Kube;
const context = { hub, ways: ways(hub, { url, ca: async () => readFileSync(authority, 'utf8') }) };

const answers = Array.from({ length: Number(questions) }, async () => {
  const { items, missing } = await answerPods(context, aQuestion('pods'), new AbortController().signal);
  return `${items.length} ${missing.length}`;
});
process.stdout.write(`${(await Promise.all(answers)).join(',')}\n`);
process.stdin.on('end', () => process.exit(0)).resume();
