// Sealed Secrets on the stack: with OCM's agents, switched on and off under a running Capp, and for a new
// one.
import { CAPP } from '../../../crds/capp/capp.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import { EVENT, SECRET, type Secret } from '../../../crds/kubernetes/core.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../crds/ocm/ocm.ts';
import { CAPP_SECRET } from '../../../crds/sealing/capp-secret.ts';
import { createCapp, manifestsOf, newNamespace, siteOf, untilReady, workOf } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';

const CANARY = `sealed-${Math.random().toString(36).slice(2)}-value`;

let stack: TestbedStack;
let namespace: string;
beforeAll(async () => {
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'sealed');
});
afterAll(async () => {
  await seal(null);
  for (const { metadata } of (await stack.hub.list(CAPP, { namespace })).items)
    await stack.hub.remove(CAPP, { namespace, name: metadata.name });
  await stack.close();
});

const seal = (sealing: 'Required' | null) =>
  stack.hub.patch(RCS_CONFIG, RCS_CONFIG_KEY, { spec: { secrets: { sealing } } });

async function makeCapp(name: string): Promise<void> {
  const data = { token: btoa(CANARY) };
  const metadata = { namespace, name };
  await stack.hub.create<Secret>(SECRET, { apiVersion: 'v1', kind: 'Secret', metadata, data });
  await createCapp(stack.hub, { namespace, name, container: { envFrom: [{ secretRef: { name } }] } });
}

/** Raw, and as base64 shows it from any of three beginnings. */
function shows(object: unknown): boolean {
  const text = JSON.stringify(object);
  const forms = [0, 1, 2].map((shift) =>
    Buffer.from(' '.repeat(shift) + CANARY)
      .toString('base64')
      .slice(4, -4),
  );
  return [CANARY, ...forms].some((form) => text.includes(form));
}

const kindsIn = (work: ManifestWork | null) => manifestsOf(work).map(({ kind }) => kind);
const until = (name: string, site: string, isSo: (work: ManifestWork) => boolean) =>
  eventually(async () => {
    const work = await workOf(stack.hub, { namespace, name }, site);
    return work !== null && isSo(work) ? work : undefined;
  });

test('a Secret of a running Capp is sealed and unsealed in place, and a new Capp with a sealed one is Ready', async () => {
  await makeCapp('old');
  const site = siteOf(await untilReady(stack.hub, { namespace, name: 'old' }));
  const there = { namespace, name: 'old' };
  const before = await stack.site(site).get<Secret>(SECRET, there);
  expect(before?.data).toEqual({ token: btoa(CANARY) });
  let vanished = 0;
  const watching = setInterval(() => {
    void stack
      .site(site)
      .get<Secret>(SECRET, there)
      .then((found) => void (found?.metadata.uid === before?.metadata.uid ? 0 : (vanished += 1)));
  }, 100);
  try {
    await seal('Required');
    const sealed = await until('old', site, (work) => kindsIn(work).includes('CappSecret'));
    expect(shows(sealed)).toBe(false);
    await eventually(async () => {
      const now = await stack.site(site).get<Secret>(SECRET, there);
      const owners = now?.metadata.ownerReferences?.map(({ kind }) => kind) ?? [];
      return owners.join() === 'CappSecret' ? true : undefined;
    });
    await untilReady(stack.hub, { namespace, name: 'old' });

    await makeCapp('new');
    const ready = await untilReady(stack.hub, { namespace, name: 'new' });
    const fresh = await workOf(stack.hub, { namespace, name: 'new' }, siteOf(ready));
    expect(kindsIn(fresh)).toEqual(['Namespace', 'CappSecret', 'Capp']);
    expect(shows((await stack.hub.list(MANIFEST_WORK, { namespace: siteOf(ready) })).items)).toBe(false);
    for (const kind of [CAPP, EVENT])
      expect(shows((await stack.hub.list(kind, { namespace })).items)).toBe(false);
    for (const kind of [CAPP, CAPP_SECRET, EVENT])
      expect(shows((await stack.site(siteOf(ready)).list(kind, { namespace })).items)).toBe(false);
    const opened = await stack.site(siteOf(ready)).get<Secret>(SECRET, { namespace, name: 'new' });
    expect(opened?.data).toEqual({ token: btoa(CANARY) });

    await seal(null);
    await until('old', site, (work) => !kindsIn(work).includes('CappSecret'));
    await eventually(async () =>
      (await stack.site(site).get(CAPP_SECRET, there)) === null ? true : undefined,
    );
    const after = await stack.site(site).get<Secret>(SECRET, there);
    expect(after?.metadata.uid).toBe(before?.metadata.uid);
    expect(after?.data).toEqual(before?.data);
    expect(vanished).toBe(0);
  } finally {
    clearInterval(watching);
  }
});
