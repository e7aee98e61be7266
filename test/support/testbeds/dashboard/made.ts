// Objects of a hub that a test makes by hand, with the times and conditions in them.
import type { Condition } from '../../../../crds/capp/conditions.ts';
import type { Kube } from '../../../../kube/client.ts';
import { isAlreadyExists } from '../../../../kube/failure.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';

export const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
export const ahead = (minutes: number): string => ago(-minutes);

export function siteName(at: number): string {
  return `site-${String(at).padStart(3, '0')}`;
}

export function condition(
  type: string,
  status: Condition['status'],
  reason: string,
  message: string,
): Condition {
  return { type, status, reason, message, lastTransitionTime: ago(90), observedGeneration: 1 };
}

/** A repeat changes nothing. */
export async function make(
  kube: Kube,
  resource: Resource,
  object: object,
  status?: object,
): Promise<KubeObject> {
  const { apiVersion, kind } = resource;
  const whole = {
    apiVersion,
    kind,
    ...object,
    ...(status === undefined ? {} : { status }),
  } as unknown as KubeObject;
  const key = { namespace: whole.metadata.namespace ?? null, name: whole.metadata.name };
  const made = await kube.create<KubeObject>(resource, whole).catch((error: unknown) => {
    if (isAlreadyExists(error)) return null;
    throw error;
  });
  if (made !== null && status !== undefined)
    await kube.patch(resource, key, { status }, { subresource: 'status' }).catch((error: unknown) => {
      // A kind that is served without a status of its own took it when it was created.
      if ((error as { code?: number }).code !== 404) throw error;
    });
  return (await kube.get(resource, key)) ?? whole;
}
