// What a real Knative makes of the Service of a Capp: its webhook, and its controllers after that.
import { SERVICE_ACCOUNT } from '../../../../crds/kubernetes/core.ts';
import {
  KNATIVE_REVISION,
  KNATIVE_SERVICE,
  type KnativeRevision,
  type KnativeService,
} from '../../../../crds/kubernetes/knative.ts';
import type { Kube } from '../../../../kube/client.ts';
import { ApiError } from '../../../../kube/failure.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { unrouted } from '../../../../site/route/unrouted.ts';
import { undeployed } from '../../../../site/workload/undeployed.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { serviceOf } from '../../corpus/as-service.ts';
import type { Example } from '../../corpus/pods/examples.ts';
import { REFUSED } from '../../corpus/pods/refused.ts';
import { ACCEPTED, DOTTED_ACCOUNT } from '../../corpus/pods/accepted.ts';
import { KEY, WITHIN } from './app-on-site.ts';

const services = `/apis/${KNATIVE_SERVICE.apiVersion}/namespaces/${KEY.namespace}/services`;

/** Of the examples that a hub refuses those that Knative takes, and the other way round. */
export async function differences(
  kube: Kube,
): Promise<{ readonly taken: readonly string[]; readonly refused: readonly string[] }> {
  const refusalOf = (example: Example) =>
    kube
      .raw('POST', `${services}?dryRun=All`, { body: serviceOf(example) })
      .then(() => null)
      .catch((error: unknown) => error);
  const account = { namespace: KEY.namespace, name: DOTTED_ACCOUNT };
  await kube.create(SERVICE_ACCOUNT, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account });
  const taken: string[] = [];
  const refused: string[] = [];
  for (const example of REFUSED) {
    const refusal = await refusalOf(example);
    // The API server itself, which knows only the shape, would say 422.
    if (!(refusal instanceof ApiError) || refusal.code !== 400) taken.push(example.title);
  }
  for (const example of ACCEPTED) {
    const refusal = await refusalOf(example);
    if (refusal !== null) refused.push(`${example.title}: ${said(refusal)}`);
  }
  return { taken, refused };
}

const said = (refusal: unknown): string =>
  refusal instanceof ApiError ? `${refusal.code} ${refusal.fields.join('; ')}` : String(refusal);

type Marks = Readonly<Record<string, string>>;

/** Makes a Service, waits for what is asked of it, and deletes it. */
async function made(
  kube: Kube,
  { name, ofService = {}, ofTemplate = {} }: { name: string; ofService?: Marks; ofTemplate?: Marks },
  find: (service: KnativeService) => string | undefined | Promise<string | undefined>,
): Promise<string> {
  const key = { namespace: KEY.namespace, name };
  const template = { metadata: { annotations: ofTemplate }, spec: { containers: [{ image: 'app:v1' }] } };
  const object: KubeObject & { readonly spec: unknown } = {
    apiVersion: KNATIVE_SERVICE.apiVersion,
    kind: KNATIVE_SERVICE.kind,
    metadata: { ...key, annotations: ofService },
    spec: { template },
  };
  await kube.create(KNATIVE_SERVICE, object);
  try {
    return await eventually(async () => {
      const live = await kube.get<KnativeService>(KNATIVE_SERVICE, key);
      return live === null ? undefined : find(live);
    }, WITHIN);
  } finally {
    await kube.remove(KNATIVE_SERVICE, key);
  }
}

/** The class of ingress of which a Capp with this annotation is told that nobody serves it. */
export function classNotServed(kube: Kube, annotation: string, kind: string): Promise<string> {
  const noticed = unrouted(() => undefined);
  return made(
    kube,
    { name: 'alone', ofService: { [annotation]: kind } },
    (live) => noticed.of('alone', live, [])?.kind,
  );
}

/**
 * The revision of which a Capp is told that no Deployment can be made, of a template with this annotation.
 */
export function notDeployed(kube: Kube, ofTemplate: Marks): Promise<string> {
  const noticed = undeployed(() => undefined);
  return made(kube, { name: 'unmade', ofTemplate }, async ({ status }) => {
    const name = status?.latestCreatedRevisionName ?? '';
    if (name === '') return undefined;
    const key = { namespace: KEY.namespace, name };
    const revision = await kube.get<KnativeRevision>(KNATIVE_REVISION, key);
    return noticed.of('unmade', revision ?? undefined) ? name : undefined;
  });
}
