// A Capp's pod template: typed where we read it, and whatever else a pod may say survives untouched.
import { z } from 'zod';

/** List semantics of core's pod spec, so that server-side appliers can own single entries. */
const byName = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };

const Name = z.string();
const Reference = z.looseObject({ name: Name.exactOptional(), optional: z.boolean().exactOptional() });

const EnvVar = z.looseObject({
  name: z.string().min(1),
  value: z.string().exactOptional(),
  valueFrom: z
    .looseObject({ configMapKeyRef: Reference.exactOptional(), secretKeyRef: Reference.exactOptional() })
    .exactOptional(),
});

const EnvFrom = z.looseObject({
  configMapRef: Reference.exactOptional(),
  secretRef: Reference.exactOptional(),
});

const VolumeMount = z.looseObject({ name: z.string().min(1), mountPath: z.string().min(1) });

const common = {
  name: z.string().min(1).max(63),
  env: z.array(EnvVar).exactOptional(),
  envFrom: z.array(EnvFrom).exactOptional(),
  volumeMounts: z.array(VolumeMount).exactOptional(),
};

export const Container = z.looseObject({
  ...common,
  image: z.string().min(1).describe('What to run, e.g. ghcr.io/me/app:v1.'),
});
export type Container = z.infer<typeof Container>;

export const InitContainer = z.looseObject({ ...common, image: z.string().exactOptional() });
export type InitContainer = z.infer<typeof InitContainer>;

const ProjectedSource = z.looseObject({
  configMap: Reference.exactOptional(),
  secret: Reference.exactOptional(),
});

export const Volume = z.looseObject({
  name: z.string().min(1).max(63),
  configMap: Reference.exactOptional(),
  secret: z
    .looseObject({ secretName: Name.exactOptional(), optional: z.boolean().exactOptional() })
    .exactOptional(),
  projected: z.looseObject({ sources: z.array(ProjectedSource).exactOptional() }).exactOptional(),
  persistentVolumeClaim: z.looseObject({ claimName: z.string().min(1) }).exactOptional(),
});
export type Volume = z.infer<typeof Volume>;

export const PodSpec = z
  .looseObject({
    containers: z
      .array(Container)
      .min(1)
      .meta(byName)
      .describe('What runs; one of them listens for requests.'),
    initContainers: z.array(InitContainer).meta(byName).exactOptional(),
    volumes: z.array(Volume).meta(byName).exactOptional(),
    imagePullSecrets: z.array(z.looseObject({ name: Name.exactOptional() })).exactOptional(),
    serviceAccountName: z.string().exactOptional(),
    timeoutSeconds: z.int().min(0).exactOptional(),
    containerConcurrency: z.int().min(0).exactOptional(),
  })
  .describe(
    "A Knative revision's spec: a pod spec, containerConcurrency and timeouts. Fields unknown here are kept as they are.",
  );
export type PodSpec = z.infer<typeof PodSpec>;

export const Template = z.object({
  metadata: z.looseObject({}).describe('Labels and annotations of the revision.').exactOptional(),
  spec: PodSpec,
});
