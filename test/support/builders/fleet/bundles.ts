// Builders for tests of Bundles: a Bundle, a manifest, and a work as its site reports on it.
import { BUNDLE, BundleSpec, type Bundle } from '../../../../crds/bundle/bundle.ts';
import type { Manifest, ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { carriedOf, type Carried } from '../../../../activities/hub/bundle/manifests/manifests.ts';
import { identifierOf } from '../../../../activities/hub/bundle/manifests/identify.ts';
import { render, type Rendered } from '../../../../activities/hub/bundle/manifests/render.ts';
import { seenOf } from '../../../../activities/hub/bundle/status/seen.ts';

/** When works in tests were written. */
export const WRITTEN_AT = Date.parse('2026-03-01T11:50:00Z');

export const EXECUTORS_AT = 'open-cluster-management-agent-addon';

export function aBundle(spec: object = {}, metadata: object = {}): Bundle {
  return {
    apiVersion: BUNDLE.apiVersion,
    kind: BUNDLE.kind,
    metadata: { namespace: 'apps', name: 'base', uid: 'uid-1', generation: 1, ...metadata },
    spec: BundleSpec.parse({ sites: { clusters: ['site-1'] }, manifests: [aConfigMap()], ...spec }),
  };
}

export function aConfigMap(data: object = { color: 'red' }, name = 'settings'): Manifest {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'apps' }, data };
}

export function aDeployment(name = 'web'): Manifest {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'apps' },
    spec: { replicas: 2 },
  };
}

/** Throws an Error with the message of a refusal. */
export function carriedBy(bundle: Bundle): readonly Carried[] {
  const found = (bundle.spec.manifests ?? []).map((value, index) => ({
    value,
    where: `spec.manifests[${index}]`,
    version: null,
  }));
  const read = carriedOf(found);
  if ('reason' in read) throw new Error(read.message);
  return read.carried;
}

export function rendered(bundle: Bundle, executorNamespace: string | null = EXECUTORS_AT): Rendered {
  return render(bundle, carriedBy(bundle), { executorNamespace });
}

export interface Reported {
  readonly generation?: number;
  readonly observed?: number;
  /** By the name of a manifest: why it is not applied. */
  readonly refused?: Readonly<Record<string, string>>;
  /** By the name of a manifest: what its rule says. */
  readonly rules?: Readonly<Record<string, { status: 'True' | 'False'; reason?: string; message?: string }>>;
  /** The plural by which the site calls every kind. */
  readonly resource?: string;
}

/** What the rule of a kind without a state says, unless somebody deletes the object. */
const STAYS = { status: 'True' } as const;

/** The work of a Bundle on `site-1` with the status that its work agent has written. */
export function reportedWork(bundle: Bundle, reported: Reported = {}): ManifestWork {
  const { generation = 1, observed = generation, refused = {}, rules = {}, resource } = reported;
  const work = rendered(bundle).workOn('site-1', WRITTEN_AT);
  const about = { observedGeneration: observed };
  const manifests = (work.spec?.workload.manifests ?? []).map((manifest) => {
    const { name } = manifest.metadata;
    const why = refused[name];
    const rule = rules[name] ?? (manifest.kind === 'ConfigMap' && why === undefined ? STAYS : undefined);
    const applied =
      why === undefined ? { status: 'True' as const } : { status: 'False' as const, message: why };
    return {
      resourceMeta: {
        kind: manifest.kind,
        ...identifierOf(manifest),
        ...(resource === undefined ? {} : { resource }),
      },
      conditions: [
        { type: 'Applied', ...applied, ...about },
        { type: 'Available', status: why === undefined ? ('True' as const) : ('False' as const) },
        ...(rule === undefined ? [] : [{ type: 'Ready', ...rule, ...about }]),
      ],
    };
  });
  const isApplied = Object.keys(refused).length === 0;
  return {
    ...work,
    metadata: { ...work.metadata, generation },
    status: {
      conditions: [{ type: 'Applied', status: isApplied ? 'True' : 'False', ...about }],
      resourceStatus: { manifests },
    },
  };
}

/** A Bundle with the ConfigMap settings and the Deployment web. */
export const SETTINGS_AND_WEB = aBundle({ manifests: [aConfigMap(), aDeployment()] });

/** What is seen of the work of `SETTINGS_AND_WEB`, as its site reports on it. */
export const seen = (reported?: Reported) => seenOf(reportedWork(SETTINGS_AND_WEB, reported));

/** How a work agent begins the message of what it could not apply. */
export const APPLY_FAILED = 'Failed to apply manifest: ';
