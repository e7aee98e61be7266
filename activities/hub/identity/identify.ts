// Keeps the identity of a site's agent: a ServiceAccount without rights, and a work that brings a token for
// the gateway to the site.
import { ApplicationFailure } from '@temporalio/common';
import {
  AGENT_ACCOUNT,
  ENDS_AT,
  GATEWAY_AUDIENCE,
  IDENTITY_WORK,
  MADE_AT,
} from '../../../crds/hub/agent-identity.ts';
import { SECRET, type Secret } from '../../../crds/kubernetes/core.ts';
import {
  MANAGED_CLUSTER,
  MANIFEST_WORK,
  isMember,
  type ManagedCluster,
  type ManifestWork,
} from '../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { Failure } from '../../../workflows/failures.ts';
import type { Hub } from '../../../workflows/ports/hub.ts';
import type { Identified } from '../../../workflows/identity/order.ts';
import { acting } from '../../trying.ts';
import { HUB_TIMES } from '../times.ts';
import { ensureAccount } from './account.ts';
import { bringsTo, identityWork, trustIn, type Token } from './identity-work.ts';

export interface IdentityOptions {
  readonly kube: Kube;
  /** The hub's own id, as its sites know it. */
  readonly hubId: string;
  /** Where the agent runs on its site. */
  readonly siteNamespace: string;
  /** The Secret whose `ca.crt` agents are to trust; null where no gateway runs. */
  readonly gateway: { readonly namespace: string; readonly name: string } | null;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

interface TokenRequest extends KubeObject {
  readonly status?: { readonly token?: string; readonly expirationTimestamp?: string };
}

/**
 * Two tries at the same time make two tokens, of which the site gets one; both end by themselves. The token
 * goes from the API server into the work, and nowhere else.
 */
export function hubIdentify(options: IdentityOptions): Pick<Hub, 'identify'> {
  return {
    identify: (cluster) =>
      acting(options.kube, async (kube) => {
        const { gateway, now = Date.now } = options;
        if (gateway === null) return { outcome: 'None' };
        const key = { namespace: null, name: cluster };
        const found = await kube.get<ManagedCluster & KubeObject>(MANAGED_CLUSTER, key);
        if (found === null || !isMember(found)) return { outcome: 'None' };
        const trusted = await trustOf(kube, gateway);
        const work = await kube.get<ManifestWork & KubeObject>(MANIFEST_WORK, workKey(cluster));
        const kept = work === null ? null : lifeOf(work);
        const isYoung = kept !== null && now() < (kept.madeAt + kept.endsAt) / 2;
        const isSame = work !== null && trustIn(work) === trusted && bringsTo(work, options.hubId);
        if (isSame && isYoung) return { outcome: 'Kept', endsAt: kept.endsAt };
        return renew(kube, { found, options, trusted, former: work });
      }),
  };
}

interface Renewal {
  readonly found: ManagedCluster & KubeObject;
  readonly options: IdentityOptions;
  readonly trusted: string;
  readonly former: (ManifestWork & KubeObject) | null;
}

async function renew(kube: Kube, { found, options, trusted, former }: Renewal): Promise<Identified> {
  const cluster = found.metadata.name;
  await ensureAccount(kube, found, former !== null);
  const token = await mint(kube, cluster, options.now ?? Date.now);
  const work = identityWork({ ...options, cluster, token, trusted });
  if (former === null) await kube.create(MANIFEST_WORK, work);
  else {
    const { uid, resourceVersion } = former.metadata;
    const { metadata, spec } = work as ManifestWork & KubeObject;
    await kube.patch(MANIFEST_WORK, workKey(cluster), {
      metadata: { uid, resourceVersion, labels: metadata.labels, annotations: metadata.annotations },
      spec,
    });
  }
  return { outcome: 'Made', endsAt: token.endsAt };
}

/**
 * PEM; empty where agents trust the authorities that Node knows. Throws Unreachable while a gateway that has
 * just been installed has no certificate yet: an agent could not tell it from another server.
 */
async function trustOf(
  kube: Kube,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<string> {
  const secret = await kube.get<Secret>(SECRET, { namespace, name });
  if (secret === null)
    throw ApplicationFailure.create({
      type: Failure.Unreachable,
      message: `Secret ${namespace}/${name}, with the certificate of the gateway, is not there yet`,
    });
  return Buffer.from(secret.data?.['ca.crt'] ?? '', 'base64').toString('utf8');
}

async function mint(kube: Kube, cluster: string, now: () => number): Promise<Token> {
  const seconds = HUB_TIMES.agentToken.ms / 1_000;
  const path = `/api/v1/namespaces/${cluster}/serviceaccounts/${AGENT_ACCOUNT}/token`;
  const body = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { audiences: [GATEWAY_AUDIENCE], expirationSeconds: seconds },
  };
  const madeAt = now();
  const { status } = (await kube.raw('POST', path, { body })) as TokenRequest;
  const endsAt = Date.parse(status?.expirationTimestamp ?? '');
  return { text: status?.token ?? '', madeAt, endsAt: Number.isNaN(endsAt) ? madeAt : endsAt };
}

/** Null if the work does not say it: its token is replaced. */
function lifeOf({ metadata }: KubeObject): Pick<Token, 'madeAt' | 'endsAt'> | null {
  const [madeAt, endsAt] = [Number(metadata.annotations?.[MADE_AT]), Number(metadata.annotations?.[ENDS_AT])];
  return Number.isFinite(madeAt) && Number.isFinite(endsAt) ? { madeAt, endsAt } : null;
}

function workKey(cluster: string): { readonly namespace: string; readonly name: string } {
  return { namespace: cluster, name: IDENTITY_WORK };
}
