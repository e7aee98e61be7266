// By what the gateway knows the agent of a site: a ServiceAccount without rights in the cluster's namespace
// on the hub, whose token travels to the site in a work that only this cluster may read.
import { shortIdOf } from '../ocm/executors.ts';

/** In the namespace of each managed cluster. It has no rights on the hub. */
export const AGENT_ACCOUNT = 'cappstan-agent';

/** What the tokens are for: no API server accepts them. */
export const GATEWAY_AUDIENCE = 'cappstan-gateway';

/** The ManifestWork that brings the token. */
export const IDENTITY_WORK = 'cappstan-agent-identity';

/** The Secret in which the site's agent of that hub finds it: a site may have agents of several hubs. */
export function identitySecret(hub: string): string {
  return `${IDENTITY_WORK}-${shortIdOf(hub)}`;
}

/**
 * When a token that a work brings was made and when it ends, in milliseconds since the epoch: annotations of
 * the work.
 */
export const MADE_AT = 'rcs.dana.io/identity-made-at';
export const ENDS_AT = 'rcs.dana.io/identity-ends-at';

/**
 * How the work brings the token, an annotation of it: raise it with each change that an agent of the same
 * version waits for. A work in another form is made anew as soon as a hub worker can.
 */
export const IDENTITY_FORM = 'rcs.dana.io/identity-form';
export const FORM = '2';

/** The Secret of the release with the gateway's certificate; its `ca.crt` is what agents trust. */
export const GATEWAY_CERTIFICATE = 'cappstan-gateway-certificate';

/** The Secret of the release with the keys by which the gateways seal task tokens. */
export const GATEWAY_KEYS = 'cappstan-gateway-keys';

const USER = /^system:serviceaccount:([a-z0-9][-a-z0-9]{0,62}):cappstan-agent$/;

/** The cluster whose agent has this user name, or null for everybody else. */
export function clusterOfAgent(user: string): string | null {
  return USER.exec(user)?.[1] ?? null;
}
