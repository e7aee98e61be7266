// The NetworkPolicies of the chart and of the add-on: who may connect to our processes, and where they may
// connect to.
import type { KubeObject } from '../../../kube/resource.ts';
import { forHub, forSite, type Values, SHORT_ID, SITE_AGENT } from '../../support/servers/chart/chart.ts';

const EGRESS = `cappstan-egress-${SHORT_ID}`;
const LIMITED: Values = {
  'networkPolicies.egress.create': 'true',
  'networkPolicies.egress.apiServers[0].ipBlock.cidr': '10.0.0.0/28',
  'networkPolicies.egress.temporal[0].ipBlock.cidr': '10.1.0.0/28',
  'networkPolicies.egress.agents[0].ports[0].port': '8080',
};

describe('the NetworkPolicies for our processes on a site', () => {
  interface Rules {
    readonly podSelector: object;
    readonly policyTypes: readonly string[];
    readonly ingress?: unknown;
    readonly egress?: readonly {
      readonly ports: readonly { readonly port: number | string }[];
      readonly to?: readonly object[];
    }[];
  }
  const both = (...names: readonly string[]) => ({
    matchExpressions: [{ key: 'app', operator: 'In', values: names }],
  });
  const policiesIn = (objects: readonly KubeObject[]): Record<string, Rules> =>
    Object.fromEntries(
      objects
        .filter(({ kind }) => kind === 'NetworkPolicy')
        .map((one) => [one.metadata.name, (one as KubeObject & { spec: Rules }).spec]),
    );
  const portsOf = (rules: Rules | undefined) =>
    rules?.egress?.map(({ ports }) => [...new Set(ports.map(({ port }) => port))]);

  test('allow no connections to them, and by default any connection from them', async () => {
    const site = policiesIn(forSite(await forHub({})));
    expect(site).toEqual({
      [`cappstan-${SHORT_ID}`]: { podSelector: both(SITE_AGENT, 'cappstan-site'), policyTypes: ['Ingress'] },
    });
    expect(policiesIn(forSite(await forHub({ 'networkPolicies.create': 'false' })))).toEqual({});
  });

  test('allow them DNS, the API server and, where needed, Temporal when egress is limited', async () => {
    const objects = await forHub({
      ...LIMITED,
      'temporal.address': 'temporal.example:7233',
      'addon.temporalAddress': 'temporal.example:443',
    });
    const hub = policiesIn(objects);
    const site = policiesIn(forSite(objects));
    const base = [
      [53, 5353],
      [443, 6443],
    ];
    expect([portsOf(hub['cappstan-egress']), portsOf(hub['cappstan-temporal'])]).toEqual([base, [[7233]]]);
    expect([portsOf(site[EGRESS]), portsOf(site[SITE_AGENT])]).toEqual([base, [[443], [8080]]]);
    expect(hub['cappstan-egress']?.podSelector).toEqual(
      both('cappstan-bridge', 'cappstan-hub', 'cappstan-webhook'),
    );
    expect(hub['cappstan-temporal']?.podSelector).toEqual(
      both('cappstan-bridge', 'cappstan-gateway', 'cappstan-hub'),
    );
    expect(site[EGRESS]?.podSelector).toEqual(both(SITE_AGENT, 'cappstan-site'));
    expect(site[SITE_AGENT]?.podSelector).toEqual({ matchLabels: { app: SITE_AGENT } });
    expect(site[EGRESS]?.egress?.map(({ to }) => to)).toEqual([
      undefined,
      [{ ipBlock: { cidr: '10.0.0.0/28' } }],
    ]);
    expect(hub['cappstan-temporal']?.egress?.[0]?.to).toEqual([{ ipBlock: { cidr: '10.1.0.0/28' } }]);
  });

  test('let the notifier, and nobody else, reach the ports of receivers when egress is limited', async () => {
    const hub = policiesIn(
      await forHub({
        ...LIMITED,
        'notifications.install': 'true',
        'networkPolicies.egress.receiverPorts[0]': '443',
        'networkPolicies.egress.receiverPorts[1]': '8443',
      }),
    );
    expect(hub['cappstan-receivers']?.podSelector).toEqual({ matchLabels: { app: 'cappstan-notifier' } });
    expect(portsOf(hub['cappstan-receivers'])).toEqual([[443, 8443]]);
    expect(hub['cappstan-egress']?.podSelector).toEqual(
      both('cappstan-bridge', 'cappstan-hub', 'cappstan-notifier', 'cappstan-webhook'),
    );
    expect(policiesIn(await forHub(LIMITED))['cappstan-receivers']).toBeUndefined();
  });

  test('on the hub let anybody come to the gateway, which knows who it is, and to nothing else of it but its metrics', async () => {
    const hub = policiesIn(
      await forHub({ ...LIMITED, 'gateway.install': 'true', 'gateway.address': 'gateway.example:7443' }),
    ) as Record<string, Rules & { readonly ingress?: unknown }>;
    const own = { matchLabels: { app: 'cappstan-gateway' } };
    expect([hub['cappstan-gateway']?.podSelector, hub['cappstan-gateway']?.ingress]).toEqual([
      own,
      [{ ports: [{ port: 'gateway' }] }],
    ]);
    const all = both('cappstan-bridge', 'cappstan-gateway', 'cappstan-hub', 'cappstan-webhook');
    for (const name of ['cappstan', 'cappstan-metrics', 'cappstan-egress'])
      expect([name, hub[name]?.podSelector]).toEqual([name, all]);
    expect(hub['cappstan']?.ingress).toBeUndefined();
  });
});
