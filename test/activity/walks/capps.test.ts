// Walks of a Capp on its site: from any valid spec to any other, the site operator leaves there what it makes
// of a Capp that begins so, with Knative's CRDs on a real API server.
import { isDeepStrictEqual } from 'node:util';
import { installKnative } from '../../../deploy/local/kubernetes/knative.ts';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { RECORDS } from '../../../crds/dns-record.ts';
import { CERTIFICATE } from '../../../crds/kubernetes/certificate.ts';
import { KAFKA_SOURCE, PING_SOURCE } from '../../../crds/kubernetes/eventing.ts';
import { DOMAIN_MAPPING, KNATIVE_SERVICE, NFS_PVC } from '../../../crds/kubernetes/knative.ts';
import { SYSLOG_NG_FLOW, SYSLOG_NG_OUTPUT } from '../../../crds/kubernetes/logging.ts';
import { APPLIED, PARENT_CAPP } from '../../../crds/labels.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { serveBare } from '../../support/servers/api/definitions.ts';
import { at, NS, siteTestbed } from '../../support/testbeds/site/site.ts';
import { serveCappConfig, writeCappConfig } from '../../support/testbeds/site/site-kinds.ts';
import { asCapp, aValidCapp, type Written } from '../../support/walks/capp-specs.ts';
import { diceOf, tagOf, takeWalks, untagged, WALKS } from '../../support/walks/walks.ts';

const BARE: readonly Resource[] = [
  NFS_PVC,
  CERTIFICATE,
  RECORDS.Namespaced,
  SYSLOG_NG_FLOW,
  SYSLOG_NG_OUTPUT,
  PING_SOURCE,
  KAFKA_SOURCE,
];
const MADE: readonly Resource[] = [...BARE, KNATIVE_SERVICE, DOMAIN_MAPPING];

const testbed = siteTestbed();
beforeAll(async () => {
  const { kube } = testbed;
  await installKnative(kube, { domain: 'site-1.localhost' });
  for (const kind of BARE) await serveBare(kube, kind);
  await serveCappConfig(kube);
  const issuerRef = { name: 'ca', kind: 'ClusterIssuer', group: 'cert-manager.io' };
  await writeCappConfig(kube, {
    dnsConfig: { zone: 'zone.example.', cname: 'ingress.example.net.', provider: 'default', issuerRef },
    autoscaleConfig: { concurrency: 12, minReplicasLimit: 5, maxReplicasLimit: 8, maxScaleDelay: 60 },
  });
}, 300_000);

const path = `/apis/${CAPP.apiVersion}/namespaces/${NS}/capps`;

/** As OCM's work agent does: the whole of it. */
async function write(name: string, written: Written): Promise<void> {
  const live = await testbed.kube.get<Capp>(CAPP, at(name));
  const body = asCapp(written, name, NS) as KubeObject;
  if (live === null) await testbed.kube.raw('POST', path, { body });
  else {
    const { resourceVersion } = live.metadata;
    const metadata = { ...body.metadata, ...(resourceVersion === undefined ? {} : { resourceVersion }) };
    await testbed.kube.raw('PUT', `${path}/${name}`, { body: { ...body, metadata } });
  }
}

async function observed(name: string): Promise<void> {
  await eventually(async () => {
    const { metadata, status } = await testbed.live(name);
    return status?.observedGeneration === metadata.generation ? true : undefined;
  });
}

/** What is on the site for a Capp, without what is of one object alone. */
async function madeOf(tag: string): Promise<unknown[]> {
  const labelSelector = `${PARENT_CAPP}=app-${tag}`;
  const lists = await Promise.all(
    MADE.map((kind) =>
      testbed.kube.list<KubeObject & { spec?: unknown }>(kind, { namespace: NS, labelSelector }),
    ),
  );
  const objects = lists.flatMap(({ items }, index) =>
    items
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map(({ metadata: { name, namespace, labels, annotations = {} }, spec }) => {
        const { [APPLIED]: _hash, ...others } = annotations;
        return { kind: MADE[index]?.kind, name, namespace, labels, annotations: others, spec };
      }),
  );
  return untagged(objects.map(plain), tag).toSorted((a, b) =>
    `${a.kind}/${a.name}` < `${b.kind}/${b.name}` ? -1 : 1,
  );
}

/**
 * A volume may say outright what it is by default (kube/http/emptied.ts), which Kubernetes takes as unsaid.
 */
function plain<T extends { readonly spec?: unknown }>(object: T): T {
  const said = JSON.stringify(object).replaceAll('"emptyDir":{"medium":""}', '"emptyDir":{}');
  return JSON.parse(said) as T;
}

/** Null once both are the same; else both, when patience has run out. */
async function difference(walker: string, fresh: string): Promise<readonly [unknown, unknown] | null> {
  let last: readonly [unknown, unknown] | null = null;
  const isSame = async () => {
    await testbed.operator.idle();
    last = await Promise.all([madeOf(walker), madeOf(fresh)]);
    return isDeepStrictEqual(last[0], last[1]) ? true : undefined;
  };
  const same = await eventually(isSame, { withinMs: 10_000, everyMs: 50 }).catch(() => false);
  return same ? null : last;
}

test(`each of at most ${WALKS} walks ends as a new Capp with that spec does`, async () => {
  const walker = tagOf(null);
  let before: Written | null = null;
  await takeWalks(async (walk) => {
    const fresh = tagOf(walk);
    const next = aValidCapp(diceOf(walk), walker, before);
    before = next;
    await write(`app-${walker}`, next);
    await write(`app-${fresh}`, JSON.parse(JSON.stringify(next).replaceAll(walker, fresh)) as Written);
    await Promise.all([observed(`app-${walker}`), observed(`app-${fresh}`)]);
    const found = await difference(walker, fresh);
    if (found !== null) console.error(`walk ${walk} to ${JSON.stringify(next)}`);
    expect(found?.[0]).toEqual(found?.[1]);
    await testbed.kube.remove(CAPP, at(`app-${fresh}`));
  });
}, 3_600_000);
