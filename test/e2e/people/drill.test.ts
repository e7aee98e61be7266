// A drill of a site on the real stack: it says of each Capp there whether it could run elsewhere, while users
// go on and nothing on the hub or on any site is written for it.
import { DRAIN, type Drain } from '../../../crds/drain/drain.ts';
import { POD } from '../../../crds/kubernetes/core.ts';
import { KNATIVE_SERVICE } from '../../../crds/kubernetes/knative.ts';
import { MANIFEST_WORK } from '../../../crds/ocm/ocm.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import type { Kube } from '../../../kube/client.ts';
import type { Resource } from '../../../kube/resource.ts';
import { createCapp, newNamespace, siteOf, untilReady } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { whileAsking } from '../../../testbed/people/requests.ts';
import { otherSite } from '../../../testbed/sites.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';

const TIMEOUT = { withinMs: 180_000, everyMs: 200 };
const COUNT = 8;

let stack: TestbedStack;
let namespace: string;
let drilled: string | null = null;

beforeAll(async () => {
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'drilled');
});
afterAll(async () => {
  if (drilled !== null) await stack.hub.remove(DRAIN, { namespace: null, name: drilled });
  await stack.close();
});

/** Each object of the kind that belongs to this test, with the uid that it was made with. */
async function those(kube: Kube, kind: Resource, where?: string): Promise<string[]> {
  const { items } = await kube.list(kind, where === undefined ? {} : { namespace: where });
  return items
    .filter(({ metadata }) => JSON.stringify(metadata).includes(namespace))
    .map(({ metadata: { name, uid = '', generation = 0 } }) => `${kind.kind} ${name} ${uid} ${generation}`)
    .toSorted();
}

const everything = async (): Promise<string[]> => [
  ...(await those(stack.hub, CAPP, namespace)),
  ...(await those(stack.hub, MANIFEST_WORK)),
  ...(
    await Promise.all(
      stack.sites.flatMap((site) =>
        [CAPP, KNATIVE_SERVICE, POD].map((kind) => those(stack.site(site), kind, namespace)),
      ),
    )
  ).flat(),
];

test('a drill says whether the Capps of a site could run elsewhere, and changes nothing for their users', async () => {
  const names = Array.from({ length: COUNT }, (_, index) => `app-${index}`);
  for (const name of names) await createCapp(stack.hub, { namespace, name });
  const homes = await Promise.all(
    names.map(async (name) => siteOf(await untilReady(stack.hub, { namespace, name }))),
  );
  const site = homes[0] ?? '';
  const mine = homes.filter((home) => home === site).length;
  const before = await everything();
  drilled = site;
  const key = { namespace, name: names[0] ?? '' };
  const answers = await whileAsking(stack, key, async () => {
    await stack.hub.create<Drain>(DRAIN, {
      apiVersion: DRAIN.apiVersion,
      kind: DRAIN.kind,
      metadata: { name: site },
      spec: { dryRun: true, rehearse: true } as Drain['spec'],
    });
    const found = await eventually(async () => {
      const drain = await stack.hub.get<Drain>(DRAIN, { namespace: null, name: site });
      if (drain?.status?.rehearsal !== undefined) return drain.status.rehearsal;
      throw new Error(`Drain ${site} says ${JSON.stringify(drain?.status)}`);
    }, TIMEOUT);
    expect(found).toMatchObject({ observedGeneration: 1, leftOut: 0 });
    expect(found.capps).toBeGreaterThanOrEqual(mine);
    expect(found.sites.map((one) => one.site)).toEqual([otherSite(stack, site)]);
    expect(found.sites[0]?.message).toContain('are free on nodes that take pods');
    const own = found.findings.filter(({ capp }) => capp.startsWith(`${namespace}/`));
    expect(own.filter(({ result }) => result === 'Failed')).toEqual([]);
    for (const check of ['Choice', 'References', 'Quota', 'Capacity'])
      expect(found.checks.find((one) => one.check === check)?.passed).toBeGreaterThanOrEqual(mine);
  });
  expect(answers.refused).toEqual([]);
  expect([...answers.from.keys()].map((who) => who.split(' ')[0])).toEqual([site]);
  expect(await everything()).toEqual(before);
  const status = await stack.temporal.workflow.getHandle(`drill/${site}`).describe();
  expect(status.status.name).toBe('COMPLETED');
  await stack.hub.remove(DRAIN, { namespace: null, name: site });
  drilled = null;
});
