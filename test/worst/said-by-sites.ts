// The worst that sites, and those who join one, may say of themselves, and what each part of it costs.
import { seenWork } from '../../activities/hub/bundle/status/seen.ts';
import { allowedMirror } from '../../crds/capp/mirror.ts';
import { subjectOf } from '../../crds/join/subject.ts';
import { slimCluster } from '../../crds/ocm/slim-cluster.ts';
import { sealedFor } from '../../crds/sealing/capp-secret.ts';
import { shallow } from '../../kube/depth.ts';
import { newsOfCapp } from '../../notify/news/capp.ts';
import { podsIn } from '../../reach/site/answers.ts';
import { boundedLines, seen, timed } from '../../reach/lines.ts';
import { readChecked } from '../../workflows/parse/verification.ts';
import { readInspected } from '../../workflows/parse/inspection.ts';
import { publicBytesOf, privateKeyOf } from '../../crds/sealing/hpke.ts';

/** As much as an API server stores of one object, and as Temporal takes of one answer, in characters. */
const [STORED, TOLD] = [1_450_000, 2_000_000];
const times = <T>(count: number, of: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => of(index));
const fieldsOf = (bytes: number): object =>
  Object.fromEntries(times(Math.floor(bytes / 11), (index) => [`k${String(index).padStart(5, '0')}`, 1]));

const of = (spec: object, status: object = {}): string =>
  JSON.stringify({ metadata: { name: 'w', namespace: 'site-1', generation: 1 }, spec, status });
const applied = { type: 'Applied', status: 'True', observedGeneration: 1 };
const works = {
  fields: of({ workload: { manifests: [fieldsOf(STORED)] } }),
  objects: of(
    { workload: { manifests: [] } },
    {
      conditions: [applied],
      resourceStatus: {
        manifests: times(10_000, (index) => ({
          resourceMeta: { resource: 'a', namespace: 'b', name: `n${index}` },
          conditions: [applied],
        })),
      },
    },
  ),
  depth: of({ workload: { manifests: [JSON.parse('{"a":['.repeat(900) + ']}'.repeat(900))] } }),
};
const cluster = JSON.stringify({
  metadata: { name: 'site-1' },
  status: { clusterClaims: times(40_000, (index) => ({ name: `k${index}`, value: '' })) },
});
const mirror = JSON.stringify({ knativeObjectStatus: fieldsOf(TOLD) });
const checks = JSON.stringify({ figures: times(5, () => ({ name: 'a', last: times(50_000, () => [0]) })) });
const facts = JSON.stringify({ nodes: times(200, () => ({})), quotas: times(400_000, () => ({})) });
const request = `-----BEGIN CERTIFICATE REQUEST-----\n${Buffer.alloc(1_000_000).toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;

const pod = (index: number) => ({
  metadata: { namespace: 'shop', name: `p${index}`, uid: `u${index}` },
  spec: { containers: times(20, (one) => ({ name: `c${one}` })) },
  status: {
    phase: 'Running',
    conditions: times(100, () => ({ type: 'a', status: 'b' })),
    containerStatuses: times(100, (one) => ({ name: `c${one}`, restartCount: 1 })),
  },
});
const pods = JSON.stringify({ items: times(201, pod), more: times(100_000, () => 0) });

const capp = JSON.stringify({
  metadata: { name: 'shop', namespace: 'team', uid: 'u' },
  status: {
    conditions: times(8, () => ({
      type: 'Ready',
      status: 'False',
      reason: 'Rejected',
      message: '\u0001 '.repeat(STORED / 64),
    })),
  },
});

const secrets = times(64, (index) => ({
  type: 'Opaque',
  data: { key: 'x'.repeat(7_500) },
  name: `s${index}`,
}));
const [siteKey, hubKey] = [publicBytesOf(privateKeyOf(Buffer.alloc(32, 7))), Buffer.alloc(32, 9)];

/** What comes on a connection at one time. */
const CHUNK = Buffer.from('\n'.repeat(65_536));

async function lines(): Promise<void> {
  const shown = seen();
  for await (const line of boundedLines(chunks())) {
    const read = timed(line);
    if (read !== null) shown.isNew(read.at);
  }
}

async function* chunks(): AsyncGenerator<Uint8Array> {
  yield CHUNK;
}

const read = (text: string): never => JSON.parse(shallow(text)) as never;

export const SAID_BY_SITES: Readonly<Record<string, () => unknown>> = {
  'hub worker: a work of a Bundle in which its site has written 130,000 fields is kept': () =>
    seenWork(read(works.fields)),
  'hub worker: the same of a work of which its site says something of 10,000 objects': () =>
    seenWork(read(works.objects)),
  'hub worker: the same of a work that is deeper than a stack bears': () => seenWork(read(works.depth)),
  'hub worker: what is read of a ManagedCluster with 40,000 claims is kept': () => slimCluster(read(cluster)),
  'hub worker: a status of 2 MB that a site gives its Capp is bounded': () => allowedMirror(read(mirror)),
  'hub worker: 2 MB of measurements are refused': () => readChecked(read(checks)),
  'hub worker: 2 MB of facts for a drill are refused': () => readInspected(read(facts)),
  'hub worker: 64 Secrets of 500 KB together are sealed': () => {
    for (const { name, type, data } of secrets)
      sealedFor(siteKey, { namespace: 'shop', name }, { type, data }, hubKey);
  },
  'hub worker: a certificate request of 1.3 MB is refused': () => subjectOf(request),
  'reader: a page of Pods of a site with 250,000 values': () => podsIn(read(pods)),
  'notifier: the news of a Capp with 1.5 MB of conditions': () => newsOfCapp(read(capp)),
};

/** Which wait for their input. */
export const SAID_IN_PARTS: Readonly<Record<string, () => Promise<unknown>>> = {
  'reader: 64 KiB of empty lines of a log': lines,
};
