// How a site of the stack comes to its hub: as every site does, with a token for it alone. Whoever starts the
// stack is the person who accepts it: nobody else is let in, whatever cluster they register.
import { randomBytes, X509Certificate } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  endOfToken,
  freshToken,
  tokenKey,
  tokenSecret,
  userOfToken,
  type BoundCluster,
} from '../../../crds/join/bootstrap-token.ts';
import {
  approvalOf,
  CLUSTER_NAME,
  SIGNING_REQUEST,
  stateOfRequest,
  unfitness,
  type SigningRequest,
} from '../../../crds/join/signing-request.ts';
import { SECRET, type Secret } from '../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER, type ManagedCluster } from '../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../kube/client.ts';
import { isConflict } from '../../../kube/failure.ts';
import { writeKubeconfig } from '../kubernetes/kubeconfig.ts';
import { FIELD_MANAGER } from '../kubernetes/manifests.ts';

const GOOD_FOR_MS = 3_600_000;
/** A token that ends before is replaced: the agent could come too late with it. */
const LEAST_LEFT_MS = 600_000;
const WITHIN_MS = 120_000;
/** Of a stack that an earlier version began; it is used as long as the agent's own credential is good. */
const FILE = /^bootstrap(?:-([a-z0-9]{6}))?\.kubeconfig$/;

export interface Coming {
  readonly site: string;
  /** Path of the kubeconfig with which the agent first comes to the hub. It changes with the token. */
  readonly bootstrap: string;
  /** Null: the agent has a credential of its own. */
  readonly token: string | null;
}

export interface RegistrationOptions {
  readonly site: string;
  readonly hub: string;
  /** Path of the hub's CA certificate. */
  readonly ca: string;
  /** Where the site's files are; the agent keeps its own credential in `hub` below it. */
  readonly dir: string;
  readonly leaseSeconds: number;
}

/**
 * Applies the accepted ManagedCluster with this lease (OCM calls a site unavailable after five leases without
 * renewal), and makes a token for it where its agent has no credential. Safe to repeat: a token that is good
 * is used again.
 */
export async function expectSite(kube: Kube, options: RegistrationOptions): Promise<Coming> {
  const { site, dir, leaseSeconds } = options;
  const cluster = await kube.apply<ManagedCluster>(
    MANAGED_CLUSTER,
    { metadata: { name: site }, spec: { hubAcceptsClient: true, leaseDurationSeconds: leaseSeconds } },
    { fieldManager: FIELD_MANAGER, force: true },
  );
  const known = fileIn(dir);
  if (known !== null && hasCredential(join(dir, 'hub')))
    return { site, bootstrap: join(dir, known.file), token: null };
  if (known !== null && known.token !== null && (await isGood(kube, known.token)))
    return { site, bootstrap: join(dir, known.file), token: known.token };
  if (known !== null) await rm(join(dir, known.file));
  return { site, ...(await withToken(kube, options, { cluster: site, uid: cluster.metadata.uid ?? '' })) };
}

/**
 * Approves the certificate that the site's agent asks for, once it has come with its token, and nobody
 * else's. Throws when it has not come in time. Safe to repeat, also beside a hub worker that does the same.
 */
export async function acceptAgent(kube: Kube, { site, token }: Coming): Promise<void> {
  if (token === null) return;
  const deadline = Date.now() + WITHIN_MS;
  for (;;) {
    const requests = await requestsOf(kube, site, token);
    if (requests.some((one) => stateOfRequest(one) === 'Approved')) return;
    const request = requests.find((one) => stateOfRequest(one) === 'Pending');
    if (request !== undefined) await approve(kube, request);
    else if (Date.now() > deadline)
      throw new Error(
        `The agent of ${site} has not asked for a certificate after ${WITHIN_MS / 1000} s. See the log of ${site}-ocm-agent.`,
      );
    await sleep(100);
  }
}

/** Takes the token away: the agent has a credential of its own. Safe to repeat. */
export async function spendToken(kube: Kube, { token }: Coming): Promise<void> {
  if (token !== null) await kube.remove(SECRET, tokenKey(token));
}

/** Those of the holder of the token that an agent of the site would make. */
async function requestsOf(kube: Kube, site: string, token: string): Promise<readonly SigningRequest[]> {
  const labelSelector = `${CLUSTER_NAME}=${site}`;
  const { items } = await kube.list<SigningRequest>(SIGNING_REQUEST, { labelSelector });
  return items.filter(
    (request) => request.spec?.username === userOfToken(token) && unfitness(request, site) === null,
  );
}

async function approve(kube: Kube, request: SigningRequest): Promise<void> {
  const message = 'Whoever started this stack has made the token that was shown';
  await kube
    .patch(
      SIGNING_REQUEST,
      { namespace: null, name: request.metadata.name },
      approvalOf(request, 'LocalStack', message),
      { subresource: 'approval', fieldManager: FIELD_MANAGER },
    )
    .catch((error: unknown) => {
      // It has changed since it was read: it is looked at again.
      if (!isConflict(error)) throw error;
    });
}

async function withToken(
  kube: Kube,
  { hub, ca, dir }: RegistrationOptions,
  bound: BoundCluster,
): Promise<Pick<Coming, 'bootstrap' | 'token'>> {
  const token = freshToken(randomBytes);
  await kube.create<Secret>(SECRET, tokenSecret(token, Date.now() + GOOD_FOR_MS, bound), {
    fieldManager: FIELD_MANAGER,
  });
  const bootstrap = join(dir, `bootstrap-${token.id}.kubeconfig`);
  const credential = { token: `${token.id}.${token.secret}` };
  await writeKubeconfig(bootstrap, { cluster: 'hub', server: hub, ca, credential });
  return { bootstrap, token: token.id };
}

async function isGood(kube: Kube, id: string): Promise<boolean> {
  const secret = await kube.get<Secret>(SECRET, tokenKey(id));
  return secret !== null && (endOfToken(secret) ?? 0) > Date.now() + LEAST_LEFT_MS;
}

function fileIn(dir: string): { readonly file: string; readonly token: string | null } | null {
  const [found] = (existsSync(dir) ? readdirSync(dir) : []).flatMap((file) => {
    const match = FILE.exec(file);
    return match === null ? [] : [{ file, token: match[1] ?? null }];
  });
  return found ?? null;
}

/** OCM's agent has been given a certificate that is still good. */
function hasCredential(dir: string): boolean {
  try {
    return new X509Certificate(readFileSync(join(dir, 'tls.crt'))).validToDate.getTime() > Date.now();
  } catch {
    return false;
  }
}
