// The environment of a container: its literal values, what it asks of its own Pod, and values of Secrets and
// ConfigMaps. Pure.
import type { ContainerSpec, Keyed, Named, StandInPod } from '../../standins/pods/pod.ts';

export interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly fieldRef?: { readonly fieldPath: string };
    readonly configMapKeyRef?: Keyed;
    readonly secretKeyRef?: Keyed;
    readonly [otherSource: string]: unknown;
  };
}

/** The texts in Secrets and ConfigMaps of the Pod's namespace, by the name of the object and the key. */
export interface Values {
  readonly secrets: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly configMaps: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

export type RunnableContainer = Pick<ContainerSpec, 'envFrom'> & { readonly env?: readonly Variable[] };

export interface PlacedPod {
  readonly pod: StandInPod;
  readonly ip: string;
  readonly values: Values;
}

/** As a kubelet: what is named comes after, and overrides, what is taken whole. */
export function environmentOf(
  { env = [], envFrom = [] }: RunnableContainer,
  { pod, ip, values: { secrets, configMaps } }: PlacedPod,
): Record<string, string> {
  const { name, namespace = '', uid = '' } = pod.metadata;
  const fields: Readonly<Record<string, string>> = {
    'metadata.name': name,
    'metadata.namespace': namespace,
    'metadata.uid': uid,
    'status.podIP': ip,
    'status.hostIP': ip,
  };
  const whole = (of: Values['secrets'], reference: Named | undefined, prefix: string) =>
    Object.entries(of.get(reference?.name ?? '') ?? {}).map(([key, value]) => [`${prefix}${key}`, value]);
  const taken = envFrom.flatMap(({ configMapRef, secretRef, prefix = '' }) => [
    ...whole(configMaps, configMapRef, prefix),
    ...whole(secrets, secretRef, prefix),
  ]);
  // The API server leaves out an empty value.
  const known = env.map(({ name: variable, value = '', valueFrom }): [string, string | undefined] => [
    variable,
    valueFrom === undefined
      ? value
      : (fields[valueFrom.fieldRef?.fieldPath ?? ''] ??
        keyed(secrets, valueFrom.secretKeyRef) ??
        keyed(configMaps, valueFrom.configMapKeyRef)),
  ]);
  const given = known.filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { HOSTNAME: name, ...Object.fromEntries(taken), ...Object.fromEntries(given) };
}

function keyed(of: Values['secrets'], reference: Keyed | undefined): string | undefined {
  return reference === undefined ? undefined : of.get(reference.name ?? '')?.[reference.key];
}
