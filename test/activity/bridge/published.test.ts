// The bridge writes what only Temporal knows into one object of a real API server, and nothing twice.
import type { PublishedLook } from '../../../bridge/published/look.ts';
import { publisher } from '../../../bridge/published/publish.ts';
import { HUB_STATUS, HUB_STATUS_NAME, type HubStatus } from '../../../crds/hub/hub-status.ts';
import { startHub, type HubForTests } from '../../support/testbeds/hub/hub.ts';

let stage: HubForTests;
beforeAll(async () => {
  stage = await startHub();
}, 300_000);
afterAll(() => stage?.stop());

const read = () => stage.kube.get<HubStatus>(HUB_STATUS, { namespace: null, name: HUB_STATUS_NAME });

test('what does not change is written once, by any number of bridges, and a change is', async () => {
  let polled = Date.now();
  let missingSearchAttributes: string[] = [];
  const look = async (): Promise<PublishedLook> => ({
    reachable: true,
    missingSearchAttributes,
    polled: { '1.2-3': polled },
    currentBuild: '1.2-3',
  });
  const agents = async () => ({
    'site-1': { isSilent: false, polledAt: polled },
    'site-2': { isSilent: true, polledAt: 1_000 },
  });
  const own = { namespace: 'default', ui: 'https://temporal.test', version: '1.2' };
  const bridges = [1, 2].map(() => publisher({ kube: stage.kube, look, agents, own }));
  const all = async (): Promise<void> => {
    for (const publish of bridges) await publish();
    polled += 1_000;
  };
  await all();
  const first = await read();
  expect(first?.status).toMatchObject({
    temporal: { reachable: true, ui: 'https://temporal.test' },
    hubWorkers: { polling: true, current: '1.2-3' },
    agents: [
      { site: 'site-1', state: 'Polling' },
      { site: 'site-2', state: 'Silent', lastSeen: '1970-01-01T00:00:01.000Z' },
    ],
  });
  for (let count = 0; count < 5; count += 1) await all();
  expect((await read())?.metadata.resourceVersion).toBe(first?.metadata.resourceVersion);
  missingSearchAttributes = ['CappSite'];
  await all();
  expect((await read())?.status?.missingSearchAttributes).toEqual(['CappSite']);
});
