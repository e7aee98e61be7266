// The site base: what a site needs of others before Capps run there, by one command.
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import type { Progress } from '../../local/terminal.ts';
import { JoinRefused } from '../refused.ts';
import { manifestsOf, type ManifestSource } from './manifests.ts';
import { partOf, type PartName } from './parts.ts';
import { planOf, type BaseStep } from './plan.ts';
import { settingsFor, withSettings, type Wishes } from './settings.ts';
import { bring, kubernetesOf, seenOn } from './site.ts';

export interface BaseWishes extends Wishes {
  readonly parts: readonly PartName[];
  readonly takeOver: readonly PartName[];
  /** A folder or a mirror with the manifests; null: from where they are published. */
  readonly manifests: string | null;
}

/** What stands when everything has been checked: each step with what it writes. */
export type CheckedBase = readonly (BaseStep & { readonly objects: readonly KubeObject[] })[];

/** Writes nothing to the site. Throws JoinRefused. */
export async function checkBase(site: Kube, wishes: BaseWishes, isDryRun: boolean): Promise<CheckedBase> {
  const steps = planOf(await seenOn(site, wishes.parts), wishes.takeOver);
  const kubernetes = await kubernetesOf(site);
  const checked: (BaseStep & { objects: readonly KubeObject[] })[] = [];
  for (const step of steps) {
    if (isWritten(step)) refuseOld(step.part, kubernetes);
    const source = { given: wishes.manifests, isKept: !isDryRun };
    checked.push({ ...step, objects: isWritten(step) ? await objectsOf(step.part, wishes, source) : [] });
  }
  return checked;
}

function isWritten({ act }: BaseStep): boolean {
  return act === 'create' || act === 'apply';
}

/** Knative's processes end by themselves on an older one. */
function refuseOld(part: PartName, kubernetes: number): void {
  const { brings } = partOf(part);
  if (brings === null || brings.kubernetes === null || kubernetes >= brings.kubernetes) return;
  throw new JoinRefused([
    `${part} ${brings.version} is for Kubernetes 1.${brings.kubernetes} and newer, and the site has 1.${kubernetes}. Update it, or install a version that is for it (docs/base.md).`,
  ]);
}

/** The objects of a part that we bring, with the settings that Cappstan needs. Throws JoinRefused. */
export async function objectsOf(
  part: PartName,
  wishes: Wishes,
  source: ManifestSource,
): Promise<readonly KubeObject[]> {
  const { brings } = partOf(part);
  if (brings === null) return [];
  return withSettings(await manifestsOf(brings.files, source), settingsFor(wishes));
}

/** Says what is there and what comes, and brings it. Safe to repeat. */
export async function bringBase(site: Kube, base: CheckedBase, screen: Progress): Promise<void> {
  sayBase(base, screen);
  for (const step of base.filter(isWritten))
    await screen.step(`Bringing ${step.part}`, () => bring(site, step, step.objects));
}

export function sayBase(base: CheckedBase, screen: Progress): void {
  for (const { says } of base) for (const sentence of says) screen.say(sentence);
}
