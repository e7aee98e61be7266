// Renders our Helm chart for this stack, and applies it to the hub as `helm install` does.
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { applyObjects, createMissing } from '../kubernetes/apply.ts';
import { toolPath } from '../programs/tools.ts';

const CHART = resolve(import.meta.dirname, '..', '..', 'helm');
export const RELEASE_NAMESPACE = 'cappstan-system';

/** The chart's objects, in Helm's order. The keys of `values` are paths as for --set. Throws Helm's error. */
export async function renderChart(values: Readonly<Record<string, string>>): Promise<KubeObject[]> {
  const sets = Object.entries(values).flatMap(([path, value]) => [
    '--set',
    `${path}=${value.replaceAll(',', String.raw`\,`)}`,
  ]);
  const args = ['template', 'cappstan', CHART, '--namespace', RELEASE_NAMESPACE, '--include-crds', ...sets];
  const { stdout } = await promisify(execFile)(toolPath('helm'), args, { maxBuffer: 64 * 1024 * 1024 });
  return parseAllDocuments(stdout)
    .map((document) => document.toJS() as KubeObject | null)
    .filter((object) => object !== null);
}

/**
 * Applies the rendered chart. What hooks make, which Helm makes once, is made if it is missing: from then on
 * it is the operator's to edit. `adapt` says how an object is on this machine. Safe to repeat.
 */
export async function installChart(
  hub: Kube,
  values: Readonly<Record<string, string>>,
  adapt: (object: KubeObject) => KubeObject = (object) => object,
): Promise<void> {
  const namespace: KubeObject = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: RELEASE_NAMESPACE },
  };
  const objects = (await renderChart(values)).map(adapt);
  await applyObjects(hub, [namespace, ...objects.filter((object) => !isOfHook(object))]);
  await createMissing(hub, objects.filter(isOfHook));
}

function isOfHook({ metadata }: KubeObject): boolean {
  return metadata.annotations?.['helm.sh/hook'] !== undefined;
}
