// The sample Capp that `make up` applies, so that a new user finds a Capp that works.
import { setTimeout as sleep } from 'node:timers/promises';
import { CAPP } from '../../../crds/capp/capp.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { applyObjects } from '../kubernetes/apply.ts';
import { readManifests } from '../kubernetes/manifests.ts';

interface Capp extends KubeObject {
  readonly status?: {
    readonly applicationLinks?: { readonly site?: string };
    readonly conditions?: readonly Condition[];
  };
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface Sample {
  readonly namespace: string;
  readonly name: string;
}

/** Applies the file, and returns the Capp in it. Safe to repeat. */
export async function applySample(kube: Kube, file: string): Promise<Sample> {
  const objects = await readManifests(file);
  await applyObjects(kube, objects);
  const capp = objects.find(({ kind }) => kind === CAPP.kind);
  if (capp === undefined) throw new Error(`${file} contains no Capp.`);
  return { namespace: capp.metadata.namespace ?? 'default', name: capp.metadata.name };
}

/**
 * Waits until the Capp is Ready, and returns its site. Throws after `timeoutMs`, with the Capp's condition
 * Ready.
 */
export async function awaitCapp(
  kube: Kube,
  sample: Sample,
  options: { timeoutMs: number; note: (detail: string) => void },
): Promise<string> {
  const deadline = Date.now() + options.timeoutMs;
  for (;;) {
    const { status } = (await kube.get<Capp>(CAPP, sample)) ?? {};
    const ready = status?.conditions?.find(({ type }) => type === 'Ready');
    if (ready?.status === 'True') return status?.applicationLinks?.site ?? '';
    const said =
      ready === undefined
        ? 'it has no status yet'
        : `${ready.reason ?? ready.status}: ${ready.message ?? ''}`;
    options.note(said);
    if (Date.now() > deadline)
      throw new Error(
        `The Capp ${sample.namespace}/${sample.name} is not Ready after ${options.timeoutMs / 1000} s (${said}). To see why, run: kubectl -n ${sample.namespace} describe capp ${sample.name}`,
      );
    await sleep(200);
  }
}

/** The Capp's site. Null while it has none, or when there is no such Capp. */
export async function siteOf(kube: Kube, sample: Sample): Promise<string | null> {
  return (await kube.get<Capp>(CAPP, sample))?.status?.applicationLinks?.site ?? null;
}
