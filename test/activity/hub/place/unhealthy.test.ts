// Whether an unhealthy Capp leaves, by what the hub worker's caches have of all others on a real API server.
import { hubChoose } from '../../../../activities/hub/place/choose.ts';
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import { RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import type { Choice } from '../../../../workflows/ports/choice.ts';
import type { Hub } from '../../../../workflows/ports/hub.ts';
import { clock } from '../../../../workflows/types/clock.ts';
import { make, prepareTwoSites } from '../../../support/testbeds/activities/two-sites.ts';
import { startHub, type HubForTests } from '../../../support/testbeds/hub/hub.ts';

let stage: HubForTests;
let chooser: Pick<Hub, 'choose'>;
beforeAll(async () => {
  stage = await startHub();
  await prepareTwoSites(stage.kube);
  chooser = hubChoose({ ...stage, hubUid: 'hub-uid', config: RCS_CONFIG_KEY });
}, 300_000);
afterAll(() => stage?.stop());

const WELL = { status: 'True', reason: 'Ready' };
const ILL = { status: 'False', reason: 'RolloutFailed' };
const SINCE = Date.now() - 120_000;

async function create(name: string, site: string, image: string, ready: object): Promise<Capp> {
  const template = { spec: { containers: [{ name: 'app', image }] } };
  const spec = { configurationSpec: { template }, migration: { unhealthy: { afterSeconds: 60 } } };
  const key = { namespace: 'apps', name };
  await stage.kube.create(CAPP, make(CAPP, key, { spec }));
  const condition = { type: 'Ready', message: 'so', lastTransitionTime: clock(SINCE), ...ready };
  const status = { applicationLinks: { site, consoleLink: '' }, conditions: [condition] };
  return stage.kube.patch<Capp>(CAPP, key, { status }, { subresource: 'status' });
}

/** What the review of a Capp that is unhealthy on its site comes to. */
function reviewOf({ metadata, status }: Capp): Promise<Choice> {
  const { namespace = '', name, uid = '', generation = 0 } = metadata;
  const site = status?.applicationLinks?.site ?? '';
  const illness = { since: SINCE, generation, says: 'RolloutFailed: It exits.' };
  const annotated = { migrate: null, force: null };
  const history = { placedFor: '', pin: null, home: null, request: null, annotated, copies: [site], illness };
  const ask = { minimumVersions: {}, present: site, avoid: {}, works: [], history };
  return chooser.choose({ namespace, name, uid }, ask);
}

const leaves = { outcome: 'Leaves', reason: 'Unhealthy' };
const stays = { outcome: 'Stays', reason: 'FleetUnhealthy' };
const eventuallyIs = (capp: Capp, expected: object) =>
  eventually(async () => {
    const choice = await reviewOf(capp);
    expect(choice).toMatchObject(expected);
    return choice;
  });

test('of two Ready Capps with one image that breaks everywhere neither moves; with an image of its own one does', async () => {
  const first = await create('first', 'site-1', 'ghcr.io/shop/app:v2', ILL);
  // Alone it would go, whatever the share.
  await eventuallyIs(first, { ...leaves, to: 'site-2' });
  const second = await create('second', 'site-2', 'ghcr.io/shop/app:v2', ILL);
  const beside = (name: string, site: string) => ({
    ...stays,
    message: expect.stringContaining(`Capp ${name} with the same images is unhealthy on ${site}, too`),
  });
  const said = beside('second', 'site-2');
  await eventuallyIs(first, said);
  await eventuallyIs(second, beside('first', 'site-1'));
  const others = Array.from({ length: 7 }, (_, index) => `well-${index}`);
  for (const name of others) await create(name, 'site-1', `ghcr.io/shop/${name}:v1`, WELL);
  await eventuallyIs(first, said);
  const template = { spec: { containers: [{ name: 'app', image: 'ghcr.io/shop/app:v3' }] } };
  const key = { namespace: 'apps', name: 'first' };
  const other = await stage.kube.patch<Capp>(CAPP, key, { spec: { configurationSpec: { template } } });
  await eventuallyIs(other, { ...leaves, to: 'site-2' });
});
