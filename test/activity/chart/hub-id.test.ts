// The hub's id in the chart: who claims the Temporal namespace, and what comes to sites, says the same one.
import { HUB } from '../../../crds/labels.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { forHub, forSite, SITE_AGENT } from '../../support/servers/chart/chart.ts';

interface Deployment extends KubeObject {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly { env?: readonly { name: string; value?: string }[] }[];
      };
    };
  };
}

function hubIdOf(objects: readonly KubeObject[], name: string): (string | undefined)[] {
  return objects
    .filter((object): object is Deployment => object.kind === 'Deployment' && object.metadata.name === name)
    .flatMap(({ spec }) => spec.template.spec.containers)
    .flatMap(({ env = [] }) => env.filter((one) => one.name === 'HUB_ID').map(({ value }) => value));
}

test('the hub worker, the bridge, the gateway and each agent know the same hub, once', async () => {
  const objects = await forHub({
    hubId: 'hub-under-test',
    'gateway.install': 'true',
    'gateway.address': 'hub.example:8443',
  });
  const sites = forSite(objects);
  expect(
    ['cappstan-hub', 'cappstan-bridge', 'cappstan-gateway'].map((name) => hubIdOf(objects, name)),
  ).toEqual([['hub-under-test'], ['hub-under-test'], ['hub-under-test']]);
  expect(hubIdOf(sites, SITE_AGENT)).toEqual(['hub-under-test']);
  const labels = sites.map(({ metadata }) => metadata.labels?.[HUB]).filter((id) => id !== undefined);
  expect([...new Set(labels)]).toEqual(['hub-under-test']);
});
