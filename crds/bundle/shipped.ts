// A manifest as it is shipped: what people write, but for what would not stay on a site as it is written.
// Pure.
import type { Manifest } from '../ocm/ocm.ts';
import { isFields, type Fields } from '../../kube/fields.ts';

export function asShipped(manifest: Manifest): Manifest {
  const { apiVersion, kind } = manifest;
  if (apiVersion === 'v1' && kind === 'Secret') return withData(manifest);
  return apiVersion === 'batch/v1' && kind === 'Job' ? keptWhenDone(manifest) : manifest;
}

/**
 * With everything in `data`. Whoever applies `stringData` does not own what becomes of it, so a key that is
 * taken out would stay on the site.
 */
function withData({ stringData, ...secret }: Manifest): Manifest {
  if (stringData === undefined) return secret;
  const { data = {} } = secret;
  if (!isTexts(stringData ?? {}) || !isFields(data ?? {})) return { ...secret, stringData };
  // What is null kubectl leaves out.
  const encoded = Object.entries(stringData ?? {}).flatMap(([key, text]) =>
    text === null ? [] : [[key, Buffer.from(text).toString('base64')]],
  );
  return { ...secret, data: { ...(data as Fields | null), ...(Object.fromEntries(encoded) as Fields) } };
}

/**
 * Without its time to live: the site would remove the finished Job, and the work agent make it again, so it
 * would run again.
 */
function keptWhenDone(job: Manifest): Manifest {
  const { spec } = job;
  if (!isFields(spec) || spec['ttlSecondsAfterFinished'] === undefined) return job;
  const { ttlSecondsAfterFinished: _time, ...kept } = spec;
  return { ...job, spec: kept };
}

function isTexts(value: unknown): value is Readonly<Record<string, string | null>> {
  return isFields(value) && Object.values(value).every((one) => one === null || typeof one === 'string');
}
