// The site base: what a site needs of others before Capps run there, by one command.
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import type { Progress } from '../../local/terminal.ts';
import { JoinRefused } from '../refused.ts';
import { manifestsOf, type ManifestSource } from './manifests.ts';
import { helmProgram, runHelm, type ChartSource } from './helm.ts';
import { partOf, PART_NAMES, type Chart, type PartName } from './parts.ts';
import { planOf, versionOf, type BaseStep, type SeenPart } from './plan.ts';
import { refuseInterrupted, releaseOn } from './release.ts';
import { untilRuns } from './running.ts';
import { settingsFor, withSettings, type Wishes } from './settings.ts';
import { bring, bringChart, kubernetesOf, seenOn } from './site.ts';

export interface BaseWishes extends Wishes {
  readonly parts: readonly PartName[];
  readonly takeOver: readonly PartName[];
  /** A folder or a mirror with the manifests; null: from where they are published. */
  readonly manifests: string | null;
  /** By part: the YAML file with the values of its chart. */
  readonly values: Readonly<Partial<Record<PartName, string>>>;
}

/** A site, and by which kubeconfig helm comes to it. */
export interface BaseSite {
  readonly site: Kube;
  readonly kubeconfig: string;
}

/** What stands when everything has been checked: each step with what it writes. */
export type CheckedBase = readonly (BaseStep & {
  readonly objects: readonly KubeObject[];
  /** From where its chart comes; null: it has none. */
  readonly chart: { readonly chart: Chart; readonly source: ChartSource } | null;
})[];

/** Writes nothing to the site. Throws JoinRefused. */
export async function checkBase(
  { site, kubeconfig }: BaseSite,
  wishes: BaseWishes,
  isDryRun: boolean,
): Promise<CheckedBase> {
  const helm = {
    isThere: (await helmProgram()) !== null,
    values: PART_NAMES.filter((part) => wishes.values[part] !== undefined),
  };
  // What others want comes before them.
  const parts = PART_NAMES.filter((part) => wishes.parts.includes(part));
  const seen = await seenOn(site, parts, (chart) => releaseOn(kubeconfig, chart));
  const steps = planOf(seen, wishes.takeOver, helm);
  const kubernetes = await kubernetesOf(site);
  const checked: CheckedBase[number][] = [];
  for (const step of steps) {
    if (isWritten(step)) refuseOld(step.part, kubernetes);
    const source = { given: wishes.manifests, isKept: !isDryRun };
    const objects = isWritten(step) ? await objectsOf(step.part, wishes, source) : [];
    checked.push({ ...step, objects, chart: await chartOf(step, { wishes, kubeconfig, seen }) });
  }
  // All of them before anything is written: helm fetches the chart, and fills it with the values.
  for (const { part, chart } of checked)
    if (chart !== null && !isAfterAnother(part, seen)) await runHelm(part, chart, true);
  return checked;
}

/** What it wants comes in the same run: until then the site does not know its kinds. */
function isAfterAnother(part: PartName, seen: readonly SeenPart[]): boolean {
  return seen.some((one) => isNeededBy(part, one.part) && !one.isThere);
}

function isNeededBy(part: PartName, other: PartName): boolean {
  return partOf(other).definition === partOf(part).needs?.definition;
}

async function chartOf(
  { part, act }: BaseStep,
  {
    wishes,
    kubeconfig,
    seen,
  }: { readonly wishes: BaseWishes; readonly kubeconfig: string; readonly seen: readonly SeenPart[] },
): Promise<CheckedBase[number]['chart']> {
  const { chart } = partOf(part);
  if (act !== 'helm' || chart === null) return null;
  const release = seen.find((one) => one.part === part)?.release ?? null;
  if (release !== null) await refuseInterrupted(part, chart, { ...release, kubeconfig });
  const values = wishes.values[part] ?? null;
  const hasValues = values !== null || release !== null;
  return { chart, source: { kubeconfig, given: wishes.manifests, values, hasValues } };
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
  for (const step of base) {
    const { part, chart } = step;
    if (isWritten(step)) await screen.step(`Bringing ${part}`, () => bring(site, step, step.objects));
    if (chart === null) continue;
    const needed = base.find((one) => isNeededBy(part, one.part) && isWritten(one));
    if (needed !== undefined)
      await screen.step(`Waiting for ${needed.part}`, (note) => untilRuns(site, needed, note));
    await screen.step(`Bringing ${part}`, () =>
      bringChart(site, { part, version: versionOf(chart.chart) }, () => runHelm(part, chart, false)),
    );
  }
}

export function sayBase(base: CheckedBase, screen: Progress): void {
  for (const { says } of base) for (const sentence of says) screen.say(sentence);
}
