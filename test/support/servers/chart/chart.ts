// API servers of a hub and a site with the chart's objects: on the hub as Helm installs them, on the site as
// OCM's add-on manager does.
import { shortIdOf } from '../../../../crds/ocm/executors.ts';
import { NAMESPACE } from '../../../../crds/kubernetes/core.ts';
import { applyObjects, resourceOf } from '../../../../deploy/local/kubernetes/apply.ts';
import { RELEASE_NAMESPACE, renderChart } from '../../../../deploy/local/cappstan/chart.ts';
import { isDefinition } from '../../../../deploy/local/kubernetes/manifests.ts';
import { applyOcmCrds, ocmDefinitions } from '../../../../deploy/local/ocm/crds.ts';
import { connect, type Kube } from '../../../../kube/client.ts';
import { APPLY_PATCH } from '../../../../kube/http/request.ts';
import { keyOf, pathOf, type KubeObject } from '../../../../kube/resource.ts';
import { startApiServer, type ApiServerForTests, type ApiServerOptions } from '../api/api-server.ts';
import { clientAs, kubeconfigAs, rawClientAs, type RawClient } from '../api/identities.ts';
import { API_TIMEOUT_MS } from '../../../../testbed/eventually.ts';

export type Values = Readonly<Record<string, string>>;

export interface Cluster {
  /** The administrator's. */
  readonly kube: Kube;
  /** The path of the administrator's. */
  readonly kubeconfig: string;
  /** The path of that user's. */
  kubeconfigAs(username: string, groups: readonly string[]): Promise<string>;
  /** What the server says to that user when asked about itself: `SelfSubjectRulesReview` and the like. */
  ask(username: string, review: { kind: string; spec: object }): Promise<unknown>;
  /** A client that the server knows by this name; to be closed. */
  client(username: string): Promise<Kube>;
  /** A client that returns the server's own messages. */
  as(username: string, groups?: readonly string[]): Promise<RawClient>;
  stop(): Promise<void>;
}

/**
 * An API server that knows OCM's kinds. With flags of its own it begins with nothing, as such a server does
 * where it is new.
 */
export async function startCluster(role: 'hub' | 'site', options?: ApiServerOptions): Promise<Cluster> {
  const ground = {
    objects: await ocmDefinitions(role),
    lay: (bare: Kube): Promise<void> => applyOcmCrds(bare, role),
  };
  const isOther = options?.flags !== undefined;
  const server = await startApiServer(isOther ? options : { ground, ...options });
  const kube = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  if (isOther) await ground.lay(kube);
  return {
    kube,
    kubeconfig: server.kubeconfig,
    kubeconfigAs: (username, groups) => kubeconfigAs(server, username, groups),
    stop: async () => {
      await kube.close();
      await server.stop();
    },
    ask: (username, review) => asked(server, username, review),
    client: (username) => clientAs(server, username),
    as: (username, groups) => rawClientAs(server, username, groups),
  };
}

async function asked(
  server: ApiServerForTests,
  username: string,
  { kind, spec }: { kind: string; spec: object },
): Promise<unknown> {
  const kube = await clientAs(server, username);
  try {
    const apiVersion = 'authorization.k8s.io/v1';
    const answer = await kube.raw('POST', `/apis/${apiVersion}/${kind.toLowerCase()}s`, {
      body: { apiVersion, kind, spec },
    });
    return (answer as { status: unknown }).status;
  } finally {
    await kube.close();
  }
}

const HUB_ID = 'hub-under-test';
/** In the names of what that hub brings to a site, and no other hub. */
export const SHORT_ID = shortIdOf(HUB_ID);
/** The agent's Deployment, ServiceAccount and rights on a site. */
export const SITE_AGENT = `cappstan-agent-${SHORT_ID}`;

/** What the chart is for the hub: the release's namespace first, which Helm makes. */
export async function forHub(values: Values): Promise<KubeObject[]> {
  const namespace: KubeObject = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: RELEASE_NAMESPACE },
  };
  const least = {
    'temporal.address': 'temporal.example:7233',
    'temporal.allowInsecure': 'true',
    hubId: HUB_ID,
  };
  return [namespace, ...(await renderChart({ ...least, ...values }))];
}

interface AddOnTemplate extends KubeObject {
  readonly spec: {
    readonly registration?: unknown;
    readonly agentSpec: {
      readonly manifestConfigs: readonly object[];
      readonly workload: { readonly manifests: readonly KubeObject[] };
    };
  };
}

export function templateIn(objects: readonly KubeObject[]): AddOnTemplate {
  return only(objects, 'AddOnTemplate') as AddOnTemplate;
}

/**
 * What the chart is for a site whose AddOnDeploymentConfig has these variables; one that it does not name is
 * empty, as OCM leaves it.
 */
export function forSite(objects: readonly KubeObject[], variables: Values = {}): KubeObject[] {
  const text = JSON.stringify(templateIn(objects).spec.agentSpec.workload.manifests);
  return JSON.parse(
    text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => variables[name] ?? ''),
  ) as KubeObject[];
}

function only(objects: readonly KubeObject[], kind: string): KubeObject {
  const [found, ...more] = objects.filter((object) => object.kind === kind);
  if (found === undefined || more.length > 0)
    throw new Error(`There is not exactly one ${kind} in the chart`);
  return found;
}

/** Applies CRDs and namespaces, and the other objects, which need them, as dry runs. */
export async function tryAll(kube: Kube, objects: readonly KubeObject[]): Promise<void> {
  const isGround = (object: KubeObject): boolean => isDefinition(object) || object.kind === NAMESPACE.kind;
  await applyObjects(kube, objects.filter(isGround));
  for (const object of objects.filter((one) => !isGround(one))) await tryOne(kube, object);
}

async function tryOne(kube: Kube, object: KubeObject): Promise<void> {
  const { apiVersion = '', kind = '', metadata } = object;
  const path = pathOf(await resourceOf(kube, { apiVersion, kind }), keyOf(object));
  try {
    await kube.raw('PATCH', `${path}?dryRun=All&fieldValidation=Strict&fieldManager=helm&force=true`, {
      body: object,
      contentType: APPLY_PATCH,
    });
  } catch (cause) {
    throw new Error(`${kind} ${metadata.name} is refused: ${String(cause)}`, { cause });
  }
}

/** As Helm and the add-on manager do. */
export async function installAll(kube: Kube, objects: readonly KubeObject[]): Promise<void> {
  const isGround = (object: KubeObject): boolean => isDefinition(object) || object.kind === NAMESPACE.kind;
  await applyObjects(kube, [...objects.filter(isGround), ...objects.filter((object) => !isGround(object))]);
}
