// All activities of the hub, on the parts that they share.
import type { Client } from '@temporalio/client';
import { hubApply } from '../../activities/hub/ship/apply.ts';
import { bundleTurn } from '../../activities/hub/bundle/kind.ts';
import { hubIdentify, type IdentityOptions } from '../../activities/hub/identity/identify.ts';
import type { HubCaches } from '../../activities/hub/caches.ts';
import { hubChoose } from '../../activities/hub/place/choose.ts';
import { hubCompare } from '../../activities/hub/site/compare.ts';
import { hubDrainObject } from '../../activities/hub/drain/drain-object.ts';
import { hubDrill } from '../../activities/hub/drill/drill.ts';
import { hubDrain } from '../../activities/hub/drain/drain.ts';
import type { ChooseOptions } from '../../activities/hub/place/ground.ts';
import { hubMend } from '../../activities/hub/status/mend.ts';
import { hubTurnRequests } from '../../activities/hub/drain/turn-request.ts';
import { hubJoins } from '../../activities/hub/join/approve.ts';
import { hubMetal } from '../../activities/hub/metal/metal.ts';
import { hubPlace } from '../../activities/hub/place/place.ts';
import { hubPoint } from '../../activities/hub/dns/point.ts';
import { hubPublishScore } from '../../activities/hub/score/publish-score.ts';
import { hubPublish } from '../../activities/hub/status/publish.ts';
import { hubRemove } from '../../activities/hub/retire/remove.ts';
import { hubRetire } from '../../activities/hub/retire/retire.ts';
import { hubFleets } from '../../activities/hub/rollout/turn.ts';
import { setTurn } from '../../activities/hub/set/kind.ts';
import { hubTakeUp } from '../../activities/hub/site/take-up.ts';
import { REVISIONS_KEPT } from '../../crds/hub/rcs-config.ts';
import type { Hub } from '../../workflows/ports/hub.ts';

export type HubParts = Parameters<typeof hubApply>[0] &
  Pick<ChooseOptions, 'hubUid' | 'config'> & {
    readonly caches: HubCaches;
    readonly client: Client;
    readonly gateway: IdentityOptions['gateway'];
    readonly serviceNamespaces?: readonly string[];
    readonly provisionNamespaces?: readonly string[];
    readonly sealingNamespace?: string;
    readonly joinNamespaces?: readonly string[];
    readonly joinClusterSets?: readonly string[];
    readonly certificateLifeMs?: number;
  };

export function hubActivities(given: HubParts): Hub {
  const { kube, caches, audit, client, config } = given;
  const revisionsKept = (): number => caches.configs.get(config)?.spec.revisionHistoryLimit ?? REVISIONS_KEPT;
  const sealing = {
    config: () => caches.configs.get(config),
    namespace: given.sealingNamespace ?? config.namespace,
  };
  const parts = { ...given, revisionsKept };
  const { sender } = given;
  const onSites = { hubId: sender?.hub ?? '', siteNamespace: sender?.operator.namespace ?? '' };
  const onCaches = {
    ...hubChoose(parts),
    ...hubDrain(parts),
    ...hubCompare(caches),
    ...hubPublishScore(kube, caches),
  };
  const works = {
    ...hubRetire({ kube, caches, audit, records: parts }),
    ...hubPoint(parts),
    ...hubRemove(parts),
    ...hubTakeUp({ kube, caches }),
  };
  const onHub = {
    ...hubApply({ ...parts, records: parts, sealing }),
    ...hubPublish(parts),
    ...hubDrainObject(parts),
    ...hubDrill({ ...parts, sealing }),
    ...works,
  };
  return {
    ...onCaches,
    ...onHub,
    ...hubPlace({ ...onCaches, ...onHub }),
    ...hubTurnRequests(client),
    ...hubMend(parts, client),
    ...hubIdentify({ kube, ...onSites, gateway: given.gateway }),
    ...hubJoins({
      kube,
      ...(given.certificateLifeMs === undefined ? {} : { lifeMs: given.certificateLifeMs }),
      ...(given.joinNamespaces === undefined
        ? {}
        : { declared: { namespaces: given.joinNamespaces, clusterSets: given.joinClusterSets ?? [] } }),
    }),
    ...hubMetal({
      kube,
      client,
      hubId: onSites.hubId,
      serviceNamespaces: given.serviceNamespaces ?? [],
      provisionNamespaces: given.provisionNamespaces ?? [],
    }),
    ...hubFleets(kube, { CappSet: setTurn(parts), Bundle: bundleTurn({ ...parts, ...onSites }) }),
  };
}
