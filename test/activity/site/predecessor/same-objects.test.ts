// Object by object the same as container-app-operator v0.3.6 makes for the same thirty Capps, but for a
// written list.
import { CAPP } from '../../../../crds/capp/capp.ts';
import { CappStatus } from '../../../../crds/capp/status.ts';
import { CAPP_CONFIG } from '../../../../crds/capp-config.ts';
import { CAPP_CONFIG_DEFINITION } from '../../../../crds/definitions/of-sites.ts';
import { NAMESPACE } from '../../../../crds/kubernetes/core.ts';
import { KNATIVE_REVISION } from '../../../../crds/kubernetes/knative.ts';
import { pathOf, type KubeObject, type Resource } from '../../../../kube/resource.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import {
  MADE,
  RECORDED_CONFIG,
  recordedOf,
  type Recorded,
} from '../../../support/builders/manifests/thirty-capps.ts';
import { serve, serveBare } from '../../../support/servers/api/definitions.ts';
import { siteTestbed } from '../../../support/testbeds/site/site.ts';

/** What differs on purpose. docs/parity.md shows this list, with its reasons. */
const DIFFERENCES: readonly RegExp[] = [
  /^\w+ metadata\.annotations\.rcs\.dana\.io\/applied: none -> /,
  // Knative fills these in.
  /^Service spec\.template\.spec\.containerConcurrency: 0 -> none$/,
  /^Service spec\.template\.spec\.containers\.\d\.(?:resources|readinessProbe)[\w.]*: .* -> none$/,
  /^Service spec\.template\.metadata\.creationTimestamp: null -> none$/,
  /^DomainMapping spec\.ref\.namespace: none -> "apps"$/,
  // A CappConfig that is deleted takes nobody's name away.
  /^DomainMapping metadata\.annotations\.rcs\.dana\.io\/added-zone: none -> "apps\.example"$/,
  // W-1
  /^Service spec\.template\.spec\.containers\.\d\.volumeMounts\.\d\.readOnly: true -> none$/,
  // W-20
  /^Service spec\.template\.spec\.responseStartTimeoutSeconds: none -> 400$/,
  // Its filter of annotations is inverted.
  /^Service (?:spec\.template\.)?metadata\.annotations\.rcs\.dana\.io\/[\w-]+: ".*" -> none$/,
  /^Service metadata\.annotations\.(?:mine|owner): none -> /,
  // As later versions, so that Kourier sees the Secret.
  /^Certificate spec\.secretTemplate\.labels\.networking\.internal\.knative\.dev\/certificate-uid: none -> ""$/,
  // Defaults of provider-dns's CRD, which the recorded API server had.
  /^CNAMERecord spec\.(?:deletionPolicy|initProvider): .* -> none$/,
  // Two Capps of one name may follow each other, and users are to notice a move within a minute.
  /^CNAMERecord metadata\.labels\.rcs\.dana\.io\/capp-uid: none -> /,
  /^CNAMERecord spec\.forProvider\.ttl: none -> 60$/,
];

const testbed = siteTestbed();
beforeAll(async () => {
  const { kube } = testbed;
  await serve(kube, CAPP_CONFIG_DEFINITION, CAPP_CONFIG);
  await kube.create(NAMESPACE, { metadata: { name: 'capp-operator-system' } });
  await post(CAPP_CONFIG, RECORDED_CONFIG);
  for (const kind of [...MADE, KNATIVE_REVISION]) await serveBare(kube, kind);
  await testbed.restart();
  for (const { apiVersion, kind, metadata, spec } of recordedOf(CAPP)) {
    const { finalizers: _theirs, ...ours } = metadata;
    await post(CAPP, { apiVersion, kind, metadata: ours, spec } as KubeObject);
  }
}, 300_000);

function post(kind: Resource, object: KubeObject): Promise<unknown> {
  const { namespace = null } = object.metadata;
  return testbed.kube.raw('POST', pathOf(kind, { namespace, name: null }), { body: object });
}

/** Every leaf by its path. */
function leaves(value: unknown, path = ''): ReadonlyMap<string, string> {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    return new Map(value === undefined ? [] : [[path, JSON.stringify(value)]]);
  return new Map(
    Object.entries(value).flatMap(([name, part]) => [
      ...leaves(part, path === '' ? name : `${path}.${name}`),
    ]),
  );
}

const compared = ({ metadata: { name, labels, annotations }, spec }: Recorded) =>
  leaves({ metadata: { name, labels, annotations }, spec });

function differences(kind: string, theirs: Recorded, ours: Recorded | undefined): string[] {
  const [before, now] = [compared(theirs), ours === undefined ? new Map<string, string>() : compared(ours)];
  return [...new Set([...before.keys(), ...now.keys()])]
    .filter((path) => before.get(path) !== now.get(path))
    .map((path) => `${kind} ${path}: ${before.get(path) ?? 'none'} -> ${now.get(path) ?? 'none'}`);
}

test.each(MADE)('each $kind is the same, but for the list', async (resource) => {
  const theirs = recordedOf(resource);
  const ours = await eventually(async () => {
    const { items } = await testbed.kube.list<Recorded>(resource);
    return items.length >= theirs.length ? new Map(items.map((one) => [one.metadata.name, one])) : undefined;
  });
  expect([...ours.keys()].toSorted()).toEqual(theirs.map(({ metadata }) => metadata.name).toSorted());
  const found = theirs.flatMap((one) => differences(resource.kind, one, ours.get(one.metadata.name)));
  expect(found.filter((line) => !DIFFERENCES.some((known) => known.test(line)))).toEqual([]);
});

test('each difference of the list is still there', async () => {
  const found: string[] = [];
  for (const resource of MADE) {
    const { items } = await testbed.kube.list<Recorded>(resource);
    const ours = new Map(items.map((one) => [one.metadata.name, one]));
    for (const one of recordedOf(resource))
      found.push(...differences(resource.kind, one, ours.get(one.metadata.name)));
  }
  expect(DIFFERENCES.filter((known) => !found.some((line) => known.test(line)))).toEqual([]);
});

test('every field of the status that v0.3.6 writes is a field of ours', () => {
  const fields = new Set(recordedOf(CAPP).flatMap(({ status }) => Object.keys(status ?? {})));
  expect([...fields].toSorted()).toEqual([
    'applicationLinks',
    'knativeObjectStatus',
    'loggingStatus',
    'routeStatus',
    'stateStatus',
    'volumesStatus',
  ]);
  for (const field of fields) expect(Object.keys(CappStatus.shape)).toContain(field);
});
