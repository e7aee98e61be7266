// The agent's activity that says for a drill what its site has. It reads live, and writes nothing.
import { CERTIFICATE } from '../../../crds/kubernetes/certificate.ts';
import {
  NODE,
  POD,
  RESOURCE_QUOTA,
  type Node,
  type Pod,
  type ResourceQuota,
} from '../../../crds/kubernetes/core.ts';
import { KAFKA_SOURCE, PING_SOURCE } from '../../../crds/kubernetes/eventing.ts';
import { KNATIVE_SERVICE, NFS_PVC } from '../../../crds/kubernetes/knative.ts';
import { SYSLOG_NG_FLOW } from '../../../crds/kubernetes/logging.ts';
import type { Kube } from '../../../kube/client.ts';
import { serves } from '../../../kube/discovery.ts';
import type { Resource } from '../../../kube/resource.ts';
import type { Agent } from '../../../workflows/ports/agent.ts';
import { MOST_INSPECTED, type InspectQuestion, type SiteKind } from '../../../workflows/types/inspection.ts';
import { acting } from '../../trying.ts';
import { sightsOf } from './images.ts';
import { nodeRooms } from './nodes.ts';
import { quotaRooms } from './quotas.ts';

const KINDS: Readonly<Record<SiteKind, Resource>> = {
  Service: KNATIVE_SERVICE,
  NfsPvc: NFS_PVC,
  PingSource: PING_SOURCE,
  KafkaSource: KAFKA_SOURCE,
  Certificate: CERTIFICATE,
  SyslogNGFlow: SYSLOG_NG_FLOW,
};

export function agentInspect(given: Kube): Pick<Agent, 'inspect'> {
  return {
    inspect: ({ namespaces, images, kinds, wantsNodes }) =>
      acting(given, async (kube) => {
        const [nodes, waiting, quotas, absent] = await Promise.all([
          kube.list<Node>(NODE),
          images.length === 0
            ? { items: [] }
            : kube.list<Pod>(POD, { fieldSelector: 'status.phase=Pending' }),
          namespaces.length === 0 ? { items: [] } : kube.list<ResourceQuota>(RESOURCE_QUOTA),
          absentOf(kube, kinds),
        ]);
        const pods = wantsNodes ? (await kube.list<Pod>(POD, { fieldSelector: LIVE })).items : [];
        return {
          ...(wantsNodes ? nodeRooms(nodes.items, pods) : { nodes: [], moreNodes: 0 }),
          ...quotaRooms(quotas.items, namespaces),
          images: sightsOf(images.slice(0, MOST_INSPECTED.images), nodes.items, waiting.items),
          absent,
        };
      }),
  };
}

const LIVE = 'spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed';

async function absentOf(kube: Kube, kinds: InspectQuestion['kinds']): Promise<SiteKind[]> {
  const known = kinds.filter((kind) => Object.hasOwn(KINDS, kind));
  const served = await Promise.all(known.map((kind) => serves(kube, KINDS[kind])));
  return known.filter((_, index) => served[index] === false);
}
