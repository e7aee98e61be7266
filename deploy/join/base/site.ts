// What of a site base is on a site, and how it gets there.
import {
  CONFIG_MAP,
  CUSTOM_RESOURCE_DEFINITION,
  NAMESPACE,
  type ConfigMap,
} from '../../../crds/kubernetes/core.ts';
import type { Kube } from '../../../kube/client.ts';
import { ApiError, isAlreadyExists } from '../../../kube/failure.ts';
import { keyOf, type KubeObject } from '../../../kube/resource.ts';
import { resourceOf } from '../../local/kubernetes/apply.ts';
import { SYSTEM_NAMESPACE } from '../../local/kubernetes/knative.ts';
import { JoinRefused } from '../refused.ts';
import { partOf, type Chart, type PartName } from './parts.ts';
import { BEGUN, type BaseStep, type Release, type SeenPart } from './plan.ts';
import { missingSettings } from './settings.ts';

const WRITTEN_BY = { fieldManager: 'cappstan-base' } as const;
/** Says which versions of which parts we have brought. */
const NOTE = { namespace: 'kube-system', name: 'cappstan-base' } as const;
const VERSION = 'app.kubernetes.io/version';

/** Writes nothing. */
export async function seenOn(
  site: Kube,
  parts: readonly PartName[],
  releaseOf: (chart: Chart) => Promise<Release | null>,
): Promise<readonly SeenPart[]> {
  const note = (await site.get<ConfigMap>(CONFIG_MAP, NOTE))?.data ?? {};
  return Promise.all(
    parts.map(async (part): Promise<SeenPart> => {
      const key = { namespace: null, name: partOf(part).definition };
      const found = await site.getMetadata(CUSTOM_RESOURCE_DEFINITION, key);
      const version = found?.metadata.labels?.[VERSION]?.replace(/^v/, '') ?? null;
      // What has another version since was brought by somebody else, whatever the note says.
      const { chart } = partOf(part);
      const isNoted = found === null || version === null || version === note[part] || chart !== null;
      const ours = isNoted ? (note[part] ?? null) : null;
      const isForeign = found !== null && ours === null && part === 'knative';
      return {
        part,
        isThere: found !== null,
        version,
        ours,
        release: chart === null ? null : await releaseOf(chart),
        lacks: isForeign ? missingSettings(await configsOf(site)) : [],
        lacksFirst: await lacksFirst(site, part, parts),
      };
    }),
  );
}

async function lacksFirst(site: Kube, part: PartName, asked: readonly PartName[]): Promise<string | null> {
  const { needs } = partOf(part);
  if (needs === null || asked.some((one) => partOf(one).definition === needs.definition)) return null;
  const key = { namespace: null, name: needs.definition };
  return (await site.getMetadata(CUSTOM_RESOURCE_DEFINITION, key)) === null ? needs.what : null;
}

async function configsOf(site: Kube): Promise<readonly ConfigMap[]> {
  return (await site.list<ConfigMap>(CONFIG_MAP, { namespace: SYSTEM_NAMESPACE })).items;
}

/** The minor version of its Kubernetes 1. */
export async function kubernetesOf(site: Kube): Promise<number> {
  const { minor = '' } = (await site.raw('GET', '/version')) as { minor?: string };
  return Number.parseInt(minor, 10);
}

/**
 * Brings one part. The note that it is ours comes before what is made, and after what is replaced: an
 * interrupted run is known as ours, and goes on with all of it. Safe to repeat: what is there as it should be
 * is not written.
 */
export async function bring(
  site: Kube,
  { part, act }: BaseStep,
  objects: readonly KubeObject[],
): Promise<void> {
  const { brings } = partOf(part);
  if (brings === null || (act !== 'create' && act !== 'apply')) return;
  if (act === 'create') await note(site, part, brings.version);
  for (const object of inOrder(objects))
    await written(site, object, act).catch((error: unknown) => {
      throw refusalOf(part, object, error);
    });
  await note(site, part, brings.version);
}

/**
 * Notes before that it is begun, where nothing of ours was there: an interrupted run is known as ours, and
 * goes on. Safe to repeat.
 */
export async function bringChart(
  site: Kube,
  { part, version }: { readonly part: PartName; readonly version: string },
  install: () => Promise<void>,
): Promise<void> {
  const noted = (await site.get<ConfigMap>(CONFIG_MAP, NOTE))?.data?.[part];
  if (noted === undefined) await note(site, part, BEGUN);
  await install();
  await note(site, part, version);
}

async function written(site: Kube, object: KubeObject, act: 'create' | 'apply'): Promise<void> {
  const { apiVersion = '', kind = '' } = object;
  const resource = await resourceOf(site, { apiVersion, kind });
  if (act === 'apply') await site.apply(resource, object, { ...WRITTEN_BY, force: true });
  else if ((await site.getMetadata(resource, keyOf(object))) === null)
    await site.create(resource, object, WRITTEN_BY).catch((error: unknown) => {
      // Kubernetes makes some by itself as soon as it can.
      if (!isAlreadyExists(error)) throw error;
    });
}

/** A server that asks a webhook which does not answer says no more than that something failed. */
function refusalOf(part: PartName, { kind = '', metadata: { name } }: KubeObject, error: unknown): unknown {
  if (!(error instanceof ApiError) || error.code < 500) return error;
  return new JoinRefused([
    `The site did not take ${kind} ${name} of ${part} (${error.message}). If a webhook of ${part} does not run (kubectl get pods -A shows it), let it run, and run this again: it goes on from here.`,
  ]);
}

async function note(site: Kube, part: PartName, version: string): Promise<void> {
  const known = await site.get<ConfigMap>(CONFIG_MAP, NOTE);
  if (known?.data?.[part] === version) return;
  const { apiVersion, kind } = CONFIG_MAP;
  const data = { ...known?.data, [part]: version };
  await site.apply<ConfigMap>(
    CONFIG_MAP,
    { apiVersion, kind, metadata: { ...NOTE }, data },
    { ...WRITTEN_BY, force: true },
  );
}

/**
 * Namespaces and kinds first, then settings: nothing that runs later finds less than it needs. What registers
 * webhooks goes last: nobody answers for them yet.
 */
const FIRST: readonly string[] = [NAMESPACE.kind, CUSTOM_RESOURCE_DEFINITION.kind, CONFIG_MAP.kind];

function inOrder(objects: readonly KubeObject[]): readonly KubeObject[] {
  const rank = ({ kind = '' }: KubeObject): number => {
    if (kind.endsWith('WebhookConfiguration')) return FIRST.length + 1;
    const at = FIRST.indexOf(kind);
    return at < 0 ? FIRST.length : at;
  };
  return objects.toSorted((one, other) => rank(one) - rank(other));
}
