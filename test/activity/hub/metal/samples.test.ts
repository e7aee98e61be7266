// SIP's samples (airshipit/sip, 1f88a95a) on a real API server, from what it takes to what it leaves; with
// cases 20 and 21 of SIP's own tests (services_test.go).
import { DEPLOYMENT, NAMESPACE } from '../../../../crds/kubernetes/core.ts';
import { BARE_METAL_HOST, type BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';
import { SIP_CLUSTER, type SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import { applyObjects } from '../../../../deploy/local/kubernetes/apply.ts';
import { readManifests } from '../../../../deploy/local/kubernetes/manifests.ts';
import type { Kube } from '../../../../kube/client.ts';
import { holders, live, metalOn, said, hubWithHosts } from '../../../support/testbeds/metal/metal.ts';
import { bringUp, madeIn, podsEnd, secretText } from '../../../support/testbeds/metal/sip-services.ts';
import { join } from 'node:path';

let kube: Kube;
hubWithHosts((given) => (kube = given));

describe('SIP’s samples', () => {
  const ref = { namespace: 'sipcluster-system', name: 'sipcluster-system' };

  test('apply unchanged, and its cluster gets the hosts that SIP’s README expects', async () => {
    await kube.create(NAMESPACE, { metadata: { name: ref.namespace } });
    const samples = await readManifests(
      join(import.meta.dirname, '../../../support/testbeds/metal/sip-samples.yaml'),
    );
    await applyObjects(kube, samples);
    await live(metalOn(kube, { services: [ref.namespace] }), ref);
    expect(await holders(kube, ref.namespace)).toEqual([
      'rdm9r006o001: sipcluster-system/ControlPlane',
      'rdm9r007o001: sipcluster-system/ControlPlane',
      'rdm9r007o002: sipcluster-system/Worker',
      'rdm9r008o002: sipcluster-system/Worker',
    ]);
    const cluster = await kube.get<SipCluster>(SIP_CLUSTER, ref);
    expect(cluster?.status).toMatchObject({
      reservedOfWanted: '4/4',
      roles: { ControlPlane: { wanted: 2, reserved: 2 }, Worker: { wanted: 2, reserved: 2 } },
    });
  });

  test('20. have their services made: Ready when they serve', async () => {
    const metal = metalOn(kube, { services: [ref.namespace] });
    expect(await said(kube, ref, 'HostsReserved')).toBe('True Reserved');
    expect(await said(kube, ref)).toBe('False Progressing');
    await bringUp(kube, ref.namespace);
    await live(metal, ref);
    expect(await said(kube, ref)).toBe('True ReconciliationSucceeded');
    const cluster = await kube.get<SipCluster>(SIP_CLUSTER, ref);
    expect(cluster?.status?.services).toEqual([
      {
        name: 'loadbalancer-controlplane-sipcluster-system',
        kind: 'loadBalancerControlPlane',
        nodePorts: '30001',
      },
      {
        name: 'loadbalancer-worker-sipcluster-system',
        kind: 'loadBalancerWorker',
        nodePorts: '30002-30011',
      },
      { name: 'jumphost-sipcluster-system', kind: 'jumpHost', nodePorts: '30000' },
    ]);
    const config = (name: string) => secretText(kube, ref.namespace, name, 'haproxy.cfg');
    expect(await config('loadbalancer-controlplane-sipcluster-system')).toContain(
      '  server rdm9r006o001 32.68.51.139:6443\n  server rdm9r007o001 32.68.51.139:6443\n',
    );
    expect(await config('loadbalancer-worker-sipcluster-system')).toContain(
      '  server rdm9r007o002 32.68.51.140:30011\n  server rdm9r008o002 32.68.51.140:30011\n',
    );
    const hosts = await secretText(kube, ref.namespace, 'jumphost-sipcluster-system', 'hosts');
    expect(JSON.parse(hosts)).toContainEqual({
      name: 'rdm9r006o001',
      bmc: { ip: '32.68.51.12', username: 'root', password: 'sample-of-rdm9r006o001' },
    });
    const jump = await kube.get(DEPLOYMENT, { namespace: ref.namespace, name: 'jumphost-sipcluster-system' });
    expect(jump).toMatchObject({
      spec: {
        template: {
          spec: {
            hostAliases: [
              { ip: '32.68.51.139', hostnames: ['rdm9r006o001', 'rdm9r007o001'] },
              { ip: '32.68.51.140', hostnames: ['rdm9r007o002', 'rdm9r008o002'] },
            ],
          },
        },
      },
    });
  });

  test('21. a key that is none fails the infrastructure', async () => {
    const metal = metalOn(kube, { services: [ref.namespace] });
    const before = await kube.get<SipCluster>(SIP_CLUSTER, ref);
    const [jump] = before?.spec.services.jumpHost ?? [];
    const withKeys = (keys: readonly string[]) =>
      kube.patch(SIP_CLUSTER, ref, {
        spec: { services: { jumpHost: [{ ...jump, sshAuthorizedKeys: keys }] } },
      });
    await withKeys(['sshrsaAAAAAAAAAAAAAAAAAAAAAinvalidkey']);
    await live(metal, ref);
    expect(await said(kube, ref)).toBe('False InfraServiceFailure');
    await withKeys(jump?.sshAuthorizedKeys ?? []);
    await bringUp(kube, ref.namespace);
    await live(metal, ref);
    expect(await said(kube, ref)).toBe('True ReconciliationSucceeded');
  });

  test('go again: every host is free, and has what it had before', async () => {
    await kube.remove(SIP_CLUSTER, ref);
    await live(metalOn(kube, { services: [ref.namespace] }), ref);
    await podsEnd(kube, ref.namespace);
    await live(metalOn(kube, { services: [ref.namespace] }), ref);
    expect(await kube.get(SIP_CLUSTER, ref)).toBeNull();
    expect(await madeIn(kube, ref.namespace)).toEqual([]);
    const { items } = await kube.list<BareMetalHost>(BARE_METAL_HOST, { namespace: ref.namespace });
    expect(items).toHaveLength(6);
    for (const { metadata } of items) {
      expect(Object.keys(metadata.labels ?? {}).toSorted()).toEqual([
        'vino.airshipit.org/flavor',
        'vino.airshipit.org/host',
        'vino.airshipit.org/rack',
      ]);
      expect(metadata.annotations ?? {}).toEqual({});
    }
  });
});
