// The samples in deploy/samples, applied unchanged.
import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { SITE_DETAILS } from '../../../crds/capp/conditions.ts';
import { CONFIG_MAP, NAMESPACE, SECRET } from '../../../crds/kubernetes/core.ts';
import { readCapp, untilGone, untilReady } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';

const RESOURCES: readonly Resource[] = [CAPP, CONFIG_MAP, NAMESPACE, SECRET];

let stack: TestbedStack;
beforeAll(async () => {
  stack = await openStack();
});
afterAll(() => stack.close());

/** The further conditions of Capps with a hostname, a certificate, volumes and logs. */
const SEED = {
  VolumesReady: 'Bound',
  RouteReady: 'Mapped',
  CertificateReady: 'NoIssuer',
  LoggingReady: 'NotServed',
};

test.each<[string, Record<string, string>]>([
  ['seed-hub', SEED],
  ['seed-site', SEED],
  ['capp', {}],
])(
  'the sample %s becomes Ready, has these further conditions, and can be deleted',
  async (sample, asides) => {
    const text = readFileSync(new URL(`../../../deploy/samples/${sample}.yaml`, import.meta.url), 'utf8');
    const objects = parseAllDocuments(text).map((document) => document.toJS() as KubeObject);
    for (const object of objects)
      await stack.hub.apply(resourceOf(object), object, { fieldManager: 'e2e', force: true });
    const { namespace = '', name = '' } = objects.find(({ kind }) => kind === CAPP.kind)?.metadata ?? {};
    await untilReady(stack.hub, { namespace, name });
    await eventually(async () => {
      const { status } = await readCapp(stack.hub, { namespace, name });
      const told =
        status?.conditions?.filter(({ type }) => SITE_DETAILS.some((aside) => aside === type)) ?? [];
      expect(Object.fromEntries(told.map(({ type, reason }) => [type, reason]))).toEqual(asides);
      return true;
    });
    await stack.hub.remove(CAPP, { namespace, name });
    await untilGone(stack.hub, { namespace, name });
  },
);

function resourceOf({ kind }: KubeObject): Resource {
  const resource = RESOURCES.find((one) => one.kind === kind);
  if (resource === undefined) throw new Error(`No resource for kind ${kind ?? ''}`);
  return resource;
}
