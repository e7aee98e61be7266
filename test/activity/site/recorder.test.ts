// The events on a site's Capps, on a real API server: each once for each change.
import { EVENT, type Event } from '../../../crds/kubernetes/core.ts';
import { DOMAIN_MAPPING, type DomainMapping } from '../../../crds/kubernetes/knative.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { at, NS, siteTestbed } from '../../support/testbeds/site/site.ts';
import { serveKnative } from '../../support/testbeds/site/site-kinds.ts';

const testbed = siteTestbed();
beforeAll(async () => {
  await serveKnative(testbed.kube);
}, 300_000);

const routed = (hostname: string) => ({ routeSpec: { hostname } });

async function eventsOf(name: string): Promise<readonly Event[]> {
  const { items } = await testbed.kube.list<Event>(EVENT, { namespace: NS });
  return items.filter(({ regarding }) => regarding.name === name && regarding.kind === 'Capp');
}
async function reasonsOf(name: string): Promise<readonly string[]> {
  return (await eventsOf(name)).map(({ reason }) => reason).toSorted();
}
const until = (name: string, reasons: readonly string[]): Promise<unknown> =>
  eventually(async () => {
    expect(await reasonsOf(name)).toEqual(reasons);
    return true;
  });

test('what is made for a Capp is told once, also after a restart', async () => {
  const { metadata } = await testbed.make('shop', routed('shop.example.com'));
  await until('shop', ['DomainMappingCreated', 'KnativeServiceCreated']);
  const [event] = await eventsOf('shop');
  expect(event).toMatchObject({
    type: 'Normal',
    reportingController: 'container-app-controller',
    regarding: { kind: 'Capp', name: 'shop', uid: metadata.uid },
    note: expect.stringMatching(
      /^Created (?:KnativeService shop|DomainMapping shop\.example\.com)$/,
    ) as string,
  });
  await testbed.edit('shop', { routeSpec: { hostname: 'shop.example.com', routeTimeoutSeconds: 7 } });
  await testbed.operator.idle();
  await testbed.restart();
  await testbed.operator.idle();
  await testbed.edit('shop', routed('new.example.com'));
  await until('shop', ['DomainMappingCreated', 'DomainMappingCreated', 'KnativeServiceCreated']);
}, 300_000);

test('W-30 that a Capp was disabled is told once, however often it is looked at, and so is that it was enabled', async () => {
  await testbed.make('idle');
  await until('idle', ['KnativeServiceCreated']);
  await testbed.edit('idle', { state: 'disabled' });
  await until('idle', ['CappDisabled', 'KnativeServiceCreated']);
  await testbed.edit('idle', routed('idle.example.com'));
  await testbed.says('idle', 'RouteReady', 'Disabled');
  await testbed.edit('idle', { state: 'enabled' });
  await until('idle', [
    'CappDisabled',
    'CappEnabled',
    'DomainMappingCreated',
    'KnativeServiceCreated',
    'KnativeServiceCreated',
  ]);
}, 300_000);

test('what cannot be made is told once, with the reason', async () => {
  const { apiVersion, kind } = DOMAIN_MAPPING;
  const name = 'taken.example.com';
  await testbed.kube.create<DomainMapping>(DOMAIN_MAPPING, { apiVersion, kind, metadata: at(name) });
  await testbed.make('late', routed(name));
  await until('late', ['DomainMappingCreationFailed', 'KnativeServiceCreated']);
  const failed = (await eventsOf('late')).find(({ type }) => type === 'Warning');
  expect(failed?.note).toContain(`already has a DomainMapping named ${name}`);
  await testbed.edit('late', { scaleSpec: { minReplicas: 1 } });
  await testbed.says('late', 'RouteReady', 'NameTaken');
  await testbed.operator.idle();
  expect(await reasonsOf('late')).toEqual(['DomainMappingCreationFailed', 'KnativeServiceCreated']);
});
