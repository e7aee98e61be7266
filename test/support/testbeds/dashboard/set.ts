// A CappSet on three sites, whose second stage waits for approval.
import { CAPP } from '../../../../crds/capp/capp.ts';
import { CAPP_SET } from '../../../../crds/set/cappset.ts';
import { SET_REVISION_KIND } from '../../../../crds/set/set-revision.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { capp } from '../../../../testbed/capps.ts';
import { APPS } from '../hub/hub.ts';
import { statusOf } from './apps.ts';
import { ago, condition, make, siteName } from './made.ts';

const REVISION = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
const BEFORE = '00112233445566778899aabbccddeeff';

export async function seedSet(kube: Kube): Promise<void> {
  const clusters = [1, 2, 3].map(siteName);
  const { spec: template } = capp({ name: 'shop', namespace: APPS });
  const stages = [
    { name: 'canary', sites: { matchLabels: { name: siteName(1) } }, soakSeconds: 600 },
    { name: 'rest', approval: 'Required' },
  ];
  const counts = { ready: 0, underWay: 0, failed: 0, offline: 0 };
  const message = 'Stage rest waits for approval: rcs.dana.io/approve';
  const made = await make(
    kube,
    CAPP_SET,
    {
      metadata: { name: 'shop', namespace: APPS },
      spec: { sites: { clusters }, template: { spec: template }, strategy: { stages } },
    },
    {
      observedGeneration: 1,
      readySites: '1/3',
      sites: 3,
      ready: 1,
      revision: REVISION,
      stages: [
        { ...counts, name: 'canary', sites: 1, ready: 1, state: 'Passed' },
        { ...counts, name: 'rest', sites: 2, offline: 1, state: 'Waiting' },
      ],
      rollout: {
        revision: REVISION,
        settled: BEFORE,
        direction: 'Forward',
        begunAt: Date.now() - 3_600_000,
        halfway: [],
        approved: [],
        closed: ['canary'],
        paused: false,
        aborted: false,
        retries: {},
      },
      asked: [{ what: 'retry', request: '#1234', by: 'dana', at: ago(30) }],
      conditions: [
        condition('Ready', 'False', 'SitesNotReady', '1 of 3 sites are Ready'),
        condition('Progressing', 'False', 'AwaitsApproval', message),
        condition('Stalled', 'False', 'Progressing', ''),
      ],
    },
  );
  for (const [at, site] of clusters.entries()) await child(kube, made, site, at === 0 ? REVISION : BEFORE);
  await make(kube, SET_REVISION_KIND, {
    metadata: {
      name: `shop-${BEFORE}`,
      namespace: APPS,
      labels: { 'rcs.dana.io/set': 'shop' },
      ownerReferences: [ownedBy(made)],
    },
    spec: { revision: BEFORE, template: { spec: { ...template, scaleSpec: { maxReplicas: 2 } } } },
  });
}

function ownedBy({ metadata }: KubeObject) {
  const { apiVersion, kind } = CAPP_SET;
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', controller: true };
}

async function child(kube: Kube, set: KubeObject, site: string, revision: string): Promise<void> {
  const name = `shop-${site}`;
  const made = capp({ name, namespace: APPS });
  const annotations = { 'rcs.dana.io/set-revision': `${revision}/0123456789/${ago(60)}` };
  const metadata = { ...made.metadata, annotations, ownerReferences: [ownedBy(set)] };
  await make(kube, CAPP, { ...made, metadata, spec: { ...made.spec, site } }, statusOf(name, site, 'ready'));
}
