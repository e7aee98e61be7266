// Reads the Secrets and ConfigMaps from which the containers of a Pod take variables.
import { CONFIG_MAP, SECRET } from '../../../../crds/kubernetes/core.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';
import type { StandInPod } from '../../standins/pods/pod.ts';
import type { Values } from './environment.ts';

type WithData = KubeObject & { readonly data?: Readonly<Record<string, string>> };
type Texts = Readonly<Record<string, string>>;

/**
 * One that does not exist is left out: the Pod runs only if that is allowed. Throws what the client throws.
 */
export async function valuesFor(kube: Pick<Kube, 'get'>, { metadata, spec }: StandInPod): Promise<Values> {
  const { namespace = '' } = metadata;
  const env = spec.containers.flatMap((container) => container.env ?? []);
  const whole = spec.containers.flatMap((container) => container.envFrom ?? []);
  const read = async (
    resource: Resource,
    names: readonly (string | undefined)[],
    textOf: (value: string) => string,
  ): Promise<Map<string, Texts>> => {
    const found = new Map<string, Texts>();
    for (const name of new Set(names)) {
      if (name === undefined || name === '') continue;
      const object = await kube.get<WithData>(resource, { namespace, name });
      const entries = Object.entries(object?.data ?? {});
      found.set(name, Object.fromEntries(entries.map(([key, value]) => [key, textOf(value)])));
    }
    return found;
  };
  const secrets = [
    ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
    ...whole.map(({ secretRef }) => secretRef?.name),
  ];
  const configMaps = [
    ...env.map(({ valueFrom }) => valueFrom?.configMapKeyRef?.name),
    ...whole.map(({ configMapRef }) => configMapRef?.name),
  ];
  return {
    secrets: await read(SECRET, secrets, (value) => Buffer.from(value, 'base64').toString('utf8')),
    configMaps: await read(CONFIG_MAP, configMaps, (value) => value),
  };
}
