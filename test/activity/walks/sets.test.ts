// Walks of a CappSet: from any valid spec to any other its Capps are those of a set that begins so, on a real
// API server.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { SET, SET_REVISION, SET_UID } from '../../../crds/labels.ts';
import { CAPP_SET } from '../../../crds/set/cappset.ts';
import { keyOf } from '../../../kube/resource.ts';
import { says } from '../../support/builders/fleet/sets.ts';
import {
  acceptSites,
  beginSet,
  childrenOn,
  setOn,
  type Looker,
} from '../../support/testbeds/fleet/looker.ts';
import { APPS, startHub, type HubForTests } from '../../support/testbeds/hub/hub.ts';
import { aValidSet, SET_SITES } from '../../support/walks/set-specs.ts';
import { diceOf, tagOf, takeWalks, untagged, WALKS } from '../../support/walks/walks.ts';

let stage: HubForTests;
beforeAll(async () => {
  stage = await startHub();
  await acceptSites(stage, SET_SITES);
}, 300_000);
afterAll(() => stage?.stop());

/** Look by look, while its Capps do as their own workflows would. */
async function settle(name: string, looker: Looker): Promise<void> {
  for (let looks = 0; looks < 20; looks += 1) {
    await looker.look();
    const { status, metadata } = await setOn(stage, name);
    const ready = status?.conditions?.find(({ type }) => type === 'Ready');
    const children = await childrenOn(stage, name);
    const isNewest = ready?.observedGeneration === metadata.generation && ready?.status === 'True';
    if (isNewest && children.length === status?.sites) return;
    for (const child of children) {
      if (child.metadata.deletionTimestamp !== undefined)
        await stage.kube.patch(CAPP, keyOf(child), { metadata: { finalizers: null } });
      else await says(stage.kube, child.metadata.name, 'Serving');
    }
  }
  throw new Error(`CappSet ${name} does not settle: ${JSON.stringify((await setOn(stage, name)).status)}`);
}

/** Its Capps, without what is of one set alone: names, uids and revisions. */
async function cappsOf(name: string): Promise<unknown> {
  const capps = (await childrenOn(stage, name)).map(({ metadata, spec }: Capp) => {
    const { [SET_REVISION]: _label, [SET_UID]: _uid, ...labels } = metadata.labels ?? {};
    const { [SET_REVISION]: _note, ...annotations } = metadata.annotations ?? {};
    return { name: metadata.name, labels: { ...labels, [SET]: '' }, annotations, spec };
  });
  return untagged(capps, name);
}

test(`each of at most ${WALKS} walks ends as a new CappSet with that spec does`, async () => {
  const walker = tagOf(null);
  let looker: Looker | null = null;
  await takeWalks(async (walk) => {
    const spec = aValidSet(diceOf(walk), walker);
    if (looker === null) looker = await beginSet(stage, walker, spec);
    else {
      const { apiVersion, kind, metadata } = await setOn(stage, walker);
      const body = { apiVersion, kind, metadata: { ...metadata, managedFields: undefined }, spec };
      await stage.kube.raw('PUT', `/apis/${apiVersion}/namespaces/${APPS}/cappsets/${walker}`, { body });
    }
    await settle(walker, looker);
    const fresh = tagOf(walk);
    const same = JSON.parse(JSON.stringify(spec).replaceAll(walker, fresh)) as object;
    await settle(fresh, await beginSet(stage, fresh, same));
    const [walked, begun] = [await cappsOf(walker), await cappsOf(fresh)];
    if (JSON.stringify(walked) !== JSON.stringify(begun))
      console.error(`walk ${walk} to ${JSON.stringify(spec)}`);
    expect(walked).toEqual(begun);
    await end(fresh);
  });
}, 3_600_000);

async function end(name: string): Promise<void> {
  for (const capp of await childrenOn(stage, name)) {
    await stage.kube.patch(CAPP, keyOf(capp), { metadata: { finalizers: null } });
    await stage.kube.remove(CAPP, keyOf(capp));
  }
  const key = { namespace: APPS, name };
  await stage.kube.patch(CAPP_SET, key, { metadata: { finalizers: null } });
  await stage.kube.remove(CAPP_SET, key);
}
