// A hub on which somebody tries what a workflow's state may bring about: its Placement has decided for
// site-1, and site-2 is accepted. With the hub's own rights.
import { hubApply } from '../../../../activities/hub/ship/apply.ts';
import { hubPublish } from '../../../../activities/hub/status/publish.ts';
import { hubRemove } from '../../../../activities/hub/retire/remove.ts';
import { hubTakeUp } from '../../../../activities/hub/site/take-up.ts';
import { CAPP } from '../../../../crds/capp/capp.ts';
import { SECRET } from '../../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER, MANIFEST_WORK, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import type { CappRef, State } from '../../../../workflows/capp/state.ts';
import { aCluster, available } from '../../builders/fleet/sets.ts';
import { aCopy, aMove, aPlacing } from '../../builders/states.ts';
import { decide } from '../fleet/decide.ts';
import { startHub, type HubForTests } from './hub.ts';
import { sitesAreCached } from '../join/joined-sites.ts';

/** What every Capp's Secret holds. */
export const CANARY = 'CANARY';

/** From site-1 to site-2, as if somebody had asked for it and the new copy were confirmed. */
export const MOVE = aMove({ reason: 'Asked', message: '', since: 1, deadline: 2, confirmation: 'Given' });

export interface ForgersHub {
  readonly stage: HubForTests;
  readonly hub: ReturnType<typeof activities>;
  /** Creates a Capp with a Secret. */
  victim(name: string, spec?: object): Promise<CappRef>;
  /** Clusters with a work of the Capp. */
  worksOf(ref: CappRef): Promise<string[]>;
  /** Publishes the state as one that was decided now. */
  publish(ref: CappRef, state: State): Promise<void>;
}

function activities(from: HubForTests) {
  const parts = { ...from, hubUid: 'hub-uid', config: RCS_CONFIG_KEY };
  return { ...hubApply(parts), ...hubPublish(parts), ...hubRemove(parts), ...hubTakeUp(parts) };
}

export async function startForgersHub(): Promise<ForgersHub> {
  const stage = await startHub();
  const hub = activities(stage);
  const { apiVersion, kind } = RCS_CONFIG;
  const spec = { placements: ['ours'], placementsNamespace: 'apps', pinning: 'Any' };
  await stage.kube.create(RCS_CONFIG, { apiVersion, kind, metadata: RCS_CONFIG_KEY, spec } as never);
  for (const name of ['site-1', 'site-2']) {
    await stage.kube.create(MANAGED_CLUSTER, aCluster(name, { region: name }));
    await available(stage.kube, name);
  }
  await sitesAreCached(stage);
  await decide(stage, 'ours', ['site-1']);
  return {
    stage,
    hub,
    victim: (name, given = {}) => victim(stage, name, given),
    worksOf: async ({ namespace, name }) => {
      const { items } = await stage.kube.list<ManifestWork>(MANIFEST_WORK, {});
      return items
        .filter(({ metadata }) => JSON.stringify(metadata).includes(`${namespace}-${name}`))
        .map(({ metadata }) => metadata.namespace ?? '')
        .toSorted();
    },
    publish: (ref, state) =>
      hub.publish(
        ref,
        { ...state, statusDecidedAt: Date.now() },
        { record: null, mirror: null, at: Date.now() },
      ),
  };
}

async function victim(stage: HubForTests, name: string, spec: object): Promise<CappRef> {
  const metadata = { namespace: 'apps', name: `${name}-secret` };
  await stage.kube.create(SECRET, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata,
    stringData: { key: CANARY },
  } as never);
  const ref = await stage.make({ name });
  const containers = [{ name: 'app', image: 'app:1', envFrom: [{ secretRef: { name: `${name}-secret` } }] }];
  await stage.kube.patch(CAPP, ref, {
    spec: { ...spec, configurationSpec: { template: { spec: { containers } } } },
  });
  await eventually(() => stage.caches.capps.get(ref));
  return ref;
}

/** It says that the Capp serves there. */
export const forged = (ref: CappRef, cluster: string, more: Partial<State> = {}): State => ({
  ...aPlacing(ref, cluster),
  copies: { [cluster]: aCopy() },
  generation: 9,
  placedFor: '',
  ...more,
});
