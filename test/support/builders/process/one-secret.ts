// An API server in memory with one Secret, which several processes share.
import type { Kube } from '../../../../kube/client.ts';
import { ApiError } from '../../../../kube/failure.ts';

/**
 * A write rests on the version that was read, as on a real one; `writes` says what was written, and `values`
 * what was in it, as text.
 */
export function oneSecret() {
  let data: Record<string, string> | null = null;
  let version = 0;
  const writes: string[] = [];
  const values: string[] = [];
  const note = (how: string, given: Readonly<Record<string, string>>): void => {
    writes.push(how);
    values.push(...Object.values(given).map(atob));
  };
  const kube = {
    get: () =>
      Promise.resolve(
        data === null ? null : { metadata: { name: 'shared', resourceVersion: String(version) }, data },
      ),
    create: (_resource: unknown, object: { data: Record<string, string> }) => {
      if (data !== null) throw new ApiError({ method: 'POST', path: '', code: 409, reason: 'AlreadyExists' });
      note('create', object.data);
      version += 1;
      data = object.data;
      return Promise.resolve(object);
    },
    patch: (
      _resource: unknown,
      _key: unknown,
      body: { metadata: { resourceVersion: string }; data: Record<string, string> },
    ) => {
      if (body.metadata.resourceVersion !== String(version))
        throw new ApiError({ method: 'PATCH', path: '', code: 409, reason: 'Conflict' });
      note('patch', body.data);
      version += 1;
      data = body.data;
      return Promise.resolve(body);
    },
  } as unknown as Kube;
  return { kube, writes, values };
}
