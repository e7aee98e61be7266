// The real gateway in a simulated world: who calls, what is let through and what is sealed are decided as on
// a hub. Only TLS and gRPC are left out.
import { AGENT_ACCOUNT, GATEWAY_AUDIENCE } from '../../../../crds/hub/agent-identity.ts';
import { admittedClusters } from '../../../../gateway/admitted.ts';
import { answering } from '../../../../gateway/answering.ts';
import { identify } from '../../../../gateway/identify.ts';
import { openCalls } from '../../../../gateway/bounds/open-calls.ts';
import type { GatewayRefusal } from '../../../../gateway/refusal.ts';
import { isForbidden } from '../../../../gateway/refusal.ts';
import { RULED } from '../../../../gateway/services.ts';
import { sharedKeys } from '../../../../gateway/shared-keys.ts';
import { worksOfSites } from '../../../../gateway/works.ts';
import type { Temporal } from '../../../../gateway/calls/call.ts';
import type { Kube } from '../../../../kube/client.ts';
import { RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import { fateOf, SURE } from '../api/fate.ts';
import { kubeBy } from '../api/line.ts';
import type { World } from '../world/world.ts';

/** What a call came to. */
export type Said = { readonly bytes: Uint8Array } | { readonly refusal: GatewayRefusal };
export type Call = (method: string, request: Uint8Array, token?: string) => Promise<Said>;

const BY = 'gateway';

/** The token by which a simulated gateway knows the agent of a site. */
export function tokenOf(site: string): string {
  const text = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${text({})}.${text({ aud: [GATEWAY_AUDIENCE] })}.${site}`;
}

/** Calls of one site, by its token unless another is given. */
export async function simulatedGateway(world: World, site: string, temporal: Temporal): Promise<Call> {
  const lag = (): number => world.between(2, 150);
  const { server, clock } = world;
  const kube = kubeBy({ server, clock, by: BY, fateOf: (request) => fateOf(world, request), lag });
  const watching = kubeBy({ server, clock, by: BY, fateOf: () => SURE, lag });
  const open = openCalls();
  const clusters = admittedClusters(watching, open, () => undefined);
  const namespace = RCS_CONFIG_KEY.namespace;
  const context = {
    temporal,
    namespace: 'default',
    keys: await sharedKeys(watching, { namespace }),
    hasWork: worksOfSites(kube),
    onProblem: () => undefined,
  };
  const who = identify({ kube: { create: review as Kube['create'] }, clusters });
  const answer = answering({ context, identify: who, open, onEnded: () => undefined });
  await clusters.synced;
  return (method, request, token = tokenOf(site)) =>
    answer({
      service: RULED,
      method,
      authorization: `Bearer ${token}`,
      request,
      gone: new AbortController().signal,
    }).then(
      (bytes) => ({ bytes }),
      (refusal: GatewayRefusal) => ({ refusal }),
    );
}

/** As the hub's API server says whose a token is. */
async function review(_resource: unknown, { spec }: { spec: { token: string } }): Promise<object> {
  const [, , site = ''] = spec.token.split('.');
  const username = `system:serviceaccount:${site}:${AGENT_ACCOUNT}`;
  const user = { username, uid: `uid-${site}` };
  return { status: { authenticated: spec.token === tokenOf(site), audiences: [GATEWAY_AUDIENCE], user } };
}

export function isDenied(said: Said): boolean {
  return 'refusal' in said && isForbidden(said.refusal);
}
