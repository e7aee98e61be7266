// Which ConfigMaps and Secrets a Capp needs beside it on a site, and how much it needs them.
import { z } from 'zod';
import type { Capp } from './capp.ts';
import { tlsSecretOf } from './tls-secret.ts';
import { InitContainer, type PodSpec, type Volume } from '../kubernetes/pod.ts';

/**
 * Without it: no pod of the Capp can start; something that somebody asked for does not work; the Capp does as
 * well.
 */
export type ReferenceNeed = 'Required' | 'Expected' | 'Optional';

export interface Reference {
  readonly name: string;
  readonly need: ReferenceNeed;
  /** Who needs it that much, for people: `container app`, `spec.logSpec.passwordSecret`. */
  readonly by: string;
}

export interface References {
  readonly configMaps: readonly Reference[];
  readonly secrets: readonly Reference[];
}

/**
 * A Capp may refer to so many ConfigMaps and Secrets, both together: each is read live whenever the Capp is
 * shipped.
 */
export const MOST_REFERENCES = 64;

export function countOf({ configMaps, secrets }: References): number {
  return configMaps.length + secrets.length;
}

interface Use {
  readonly kind: keyof References;
  readonly name: string | undefined;
  readonly need: ReferenceNeed;
  readonly by: string;
}

type Named = { readonly name?: string | undefined; readonly optional?: boolean | undefined } | undefined;

/** What to look up of a pod's ServiceAccount: its name, as Kubernetes fills it in. */
export function serviceAccountOf({ spec }: Pick<Capp, 'spec'>): string {
  const { serviceAccountName = '' } = spec.configurationSpec.template.spec;
  return serviceAccountName === '' ? 'default' : serviceAccountName;
}

/**
 * What `read` finds in a spec that nobody has parsed; `otherwise` if that was stored before a rule of its
 * CRD, and a part is missing or of another type.
 */
export function readUnparsed<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return otherwise;
  }
}

/**
 * Takes a normalised Capp and the image pull secrets of its ServiceAccount; gives the names, each once,
 * sorted, with its greatest need. What a pod refers to is required unless it says optional. Pull secrets are
 * not, because a kubelet tries without a missing one, and neither are the log password and the TLS secret,
 * which no pod waits for.
 */
export function references(capp: Pick<Capp, 'spec'>, accountPullSecrets: readonly string[] = []): References {
  const { logSpec, configurationSpec, eventSourcesSpec } = capp.spec;
  const pod = configurationSpec.template.spec;
  const account = `ServiceAccount ${serviceAccountOf(capp)}`;
  const uses = [
    ...containersOf(pod).flatMap(ofContainer),
    ...(pod.volumes ?? []).flatMap(ofVolume),
    ...(pod.imagePullSecrets ?? []).map(({ name }) => secret(name, 'Expected', 'imagePullSecrets')),
    secret(logSpec?.passwordSecret, 'Expected', 'spec.logSpec.passwordSecret'),
    secret(tlsSecretOf(capp.spec) ?? undefined, 'Expected', 'spec.routeSpec.tlsSecret'),
    ...(eventSourcesSpec?.sources ?? []).map(({ name, kafkaSourceConfiguration }) =>
      secret(kafkaSourceConfiguration?.secretRef.name, 'Expected', `spec.eventSourcesSpec.sources ${name}`),
    ),
    ...accountPullSecrets.map((name) => secret(name, 'Optional', account)),
  ];
  return { configMaps: merge(uses, 'configMaps'), secrets: merge(uses, 'secrets') };
}

const EphemeralContainers = z.array(InitContainer);

function containersOf(pod: PodSpec): readonly InitContainer[] {
  const ephemeral = EphemeralContainers.safeParse(pod['ephemeralContainers']);
  return [...pod.containers, ...(pod.initContainers ?? []), ...(ephemeral.success ? ephemeral.data : [])];
}

function ofContainer({ name, env = [], envFrom = [] }: InitContainer): Use[] {
  const by = `container ${name}`;
  const values = env.flatMap(({ valueFrom }) => [
    podUse('configMaps', valueFrom?.configMapKeyRef, by),
    podUse('secrets', valueFrom?.secretKeyRef, by),
  ]);
  const wholes = envFrom.flatMap(({ configMapRef, secretRef }) => [
    podUse('configMaps', configMapRef, by),
    podUse('secrets', secretRef, by),
  ]);
  return [...values, ...wholes];
}

function ofVolume(volume: Volume): Use[] {
  const by = `volume ${volume.name}`;
  const plain = volume.secret && { name: volume.secret.secretName, optional: volume.secret.optional };
  const projected = (volume.projected?.sources ?? []).flatMap((source) => [
    podUse('configMaps', source.configMap, by),
    podUse('secrets', source.secret, by),
  ]);
  const credentials = driverSecrets(volume).map((name) => secret(name, 'Required', by));
  return [
    podUse('configMaps', volume.configMap, by),
    podUse('secrets', plain, by),
    ...projected,
    ...credentials,
  ];
}

const SecretRef = z.object({ name: z.string() });
const DriverSource = z.object({
  secretRef: SecretRef.exactOptional(),
  nodePublishSecretRef: SecretRef.exactOptional(),
});
const AzureFile = z.object({ secretName: z.string() });

/**
 * What a volume's driver logs in with: `csi.nodePublishSecretRef`, `azureFile.secretName`, and the
 * `secretRef` of all others (k8s.io/api core/v1, VolumeSource).
 */
function driverSecrets({ azureFile, ...volume }: Volume): string[] {
  const file = AzureFile.safeParse(azureFile);
  const sources = Object.values(volume).map((source) => DriverSource.safeParse(source));
  const refs = sources.flatMap(({ data }) => [data?.secretRef, data?.nodePublishSecretRef]);
  return [
    ...(file.success ? [file.data.secretName] : []),
    ...refs.filter((ref) => ref !== undefined).map(({ name }) => name),
  ];
}

function podUse(kind: Use['kind'], named: Named, by: string): Use {
  return { kind, name: named?.name, need: named?.optional === true ? 'Optional' : 'Required', by };
}

function secret(name: string | undefined, need: ReferenceNeed, by: string): Use {
  return { kind: 'secrets', name, need, by };
}

const WEIGHT: Readonly<Record<ReferenceNeed, number>> = { Required: 2, Expected: 1, Optional: 0 };

function merge(uses: readonly Use[], kind: Use['kind']): Reference[] {
  const byName = new Map<string, Reference>();
  for (const { name = '', need, by } of uses.filter((use) => use.kind === kind)) {
    const before = byName.get(name);
    if (name !== '' && (before === undefined || WEIGHT[need] > WEIGHT[before.need]))
      byName.set(name, { name, need, by });
  }
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
