// What people do on the hub of a chain.
import { CAPP_NAME, CAPP_NAMESPACE } from '../../../../crds/labels.ts';
import { BARE_METAL_HOST, type BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';
import type { SipSite } from '../../../../crds/metal/site.ts';
import { SIP_CLUSTER, type SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import { MANAGED_CLUSTER, MANIFEST_WORK, type ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import { cappsExecutor, cappsExecutorClaim } from '../../../../crds/ocm/executors.ts';
import { workName } from '../../../../crds/ocm/work-identity.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { ChainHub, HUB, NAMESPACE, REF, SITE } from './chain-hub.ts';
import { siteAsked } from './sip-site.ts';

export class ChainPeople extends ChainHub {
  host(name: string, more: Partial<BareMetalHost['spec']> = {}): void {
    this.add(BARE_METAL_HOST, {
      metadata: { namespace: NAMESPACE, name },
      spec: { online: false, networkData: { name: 'net' }, ...more },
      status: { operationalStatus: 'OK', provisioning: { state: 'available' } },
    } as KubeObject);
  }

  /** One control plane, and so many workers. It has no finalizer yet. */
  asks(workers: number, site: Partial<SipSite> = {}, uid = 'shop-uid'): void {
    const secrets = { ControlPlane: 'template-controlplane', Worker: 'template-worker' };
    this.add(SIP_CLUSTER, {
      metadata: { ...REF, uid },
      spec: {
        nodes: { ControlPlane: { count: { active: 1 } }, Worker: { count: { active: workers } } },
        services: {},
        site: { ...siteAsked(SITE, secrets), ...site },
      },
    } as KubeObject);
  }

  change(edit: (cluster: SipCluster) => SipCluster): void {
    this.server.put<SipCluster>(SIP_CLUSTER, REF, (before) => (before === null ? null : edit(before)));
  }

  annotate(key: string, value: string): void {
    this.change((one) => ({
      ...one,
      metadata: { ...one.metadata, annotations: { ...one.metadata.annotations, [key]: value } },
    }));
  }

  edit(site: Partial<SipSite>): void {
    this.change(({ spec, ...one }) => ({
      ...one,
      spec: spec.site === undefined ? spec : { ...spec, site: { ...spec.site, ...site } },
    }));
  }

  wants(workers: number): void {
    this.change((one) => ({
      ...one,
      spec: { ...one.spec, nodes: { ...one.spec.nodes, Worker: { count: { active: workers } } } },
    }));
  }

  /** Somebody takes its finalizer off, deletes it, and writes it once more. */
  makeAgain(workers: number, uid: string): void {
    this.server.put(SIP_CLUSTER, REF, () => null);
    this.asks(workers, {}, uid);
  }

  /** Somebody edits a host. */
  editHost(name: string, edit: (host: BareMetalHost) => BareMetalHost): void {
    const key = { namespace: NAMESPACE, name };
    this.server.put<BareMetalHost>(BARE_METAL_HOST, key, (before) => (before === null ? null : edit(before)));
  }

  /** Somebody edits the ManagedCluster. */
  editManaged(edit: (managed: ManagedCluster) => ManagedCluster): void {
    const key = { namespace: null, name: SITE };
    this.server.put<ManagedCluster>(MANAGED_CLUSTER, key, (before) =>
      before === null ? null : edit(before),
    );
  }

  /**
   * The site claims what its agents tell it: this hub's, and those of other hubs, which an admin of the site
   * has let in.
   */
  claims(...hubs: readonly string[]): void {
    const claimed = [HUB, ...hubs].map((hub) => ({
      name: cappsExecutorClaim(hub),
      value: `add-on/${cappsExecutor(hub)}`,
    }));
    this.editManaged((one) => ({ ...one, status: { ...one.status, clusterClaims: claimed } }));
  }

  /** Somebody deletes the ManagedCluster. */
  loses(): void {
    this.server.remove(MANAGED_CLUSTER, { namespace: null, name: SITE });
  }

  delete(): void {
    this.server.remove(SIP_CLUSTER, REF);
  }

  /** A Capp that serves from the site; with `stays`, no drain moves it. */
  runs(capp: string, stays = false): void {
    const name = workName('team-a', capp);
    const annotations = { [CAPP_NAMESPACE]: 'team-a', [CAPP_NAME]: capp };
    this.add(MANIFEST_WORK, { metadata: { namespace: SITE, name, annotations } });
    if (stays) this.stays.add(name);
  }

  leaves(capp: string): void {
    this.server.put(MANIFEST_WORK, { namespace: SITE, name: workName('team-a', capp) }, () => null);
  }
}
