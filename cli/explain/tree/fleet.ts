// From a CappSet to its Capps, and from a Bundle to what its works bring to the sites. Pure.
import type { Bundle } from '../../../crds/bundle/bundle.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import type { ForeignCondition } from '../../../crds/kubernetes/core.ts';
import { bundleWorkName } from '../../../crds/ocm/bundle-work.ts';
import type { ManifestWork } from '../../../crds/ocm/ocm.ts';
import { shownRevision } from '../../../crds/rollout/revision.ts';
import type { CappSet } from '../../../crds/set/cappset.ts';
import { rolloutView, type ExplainedFleet } from '../set/rollout.ts';
import { sitesOfBundle } from '../set/sites.ts';
import { toneOfStatus, type Tone } from '../tone.ts';
import type { Branch } from './branch.ts';
import { treeOf } from './capp.ts';

/** `capps` are those of the set, and no others. */
export function treeOfSet(set: CappSet, capps: readonly Capp[]): Branch {
  const there = new Set(capps.map(({ metadata }) => metadata.name));
  const { namespace = '' } = set.metadata;
  const missing = (set.status?.failing ?? []).filter(({ capp }) => !there.has(capp));
  return {
    ...rootOf({ is: 'CappSet', object: set }),
    branches: [
      ...capps.toSorted(byName).map(treeOf),
      ...missing.map(({ site, capp, reason }): Branch => ({
        kind: 'Capp',
        name: `${namespace}/${capp}`,
        on: site,
        tone: 'bad',
        says: reason,
        branches: [],
      })),
    ],
  };
}

/**
 * `works` are the Bundle's, of all sites; null if the person may not read them: then only what the Bundle's
 * own status names is known.
 */
export function treeOfBundle(bundle: Bundle, works: readonly ManifestWork[] | null): Branch {
  const root = rootOf({ is: 'Bundle', object: bundle });
  if (works !== null) {
    const sorted = works.toSorted(({ metadata: a }, { metadata: b }) =>
      (a.namespace ?? '') < (b.namespace ?? '') ? -1 : 1,
    );
    return { ...root, branches: sorted.map(workOf) };
  }
  const { namespace = '', name } = bundle.metadata;
  const failing = bundle.status?.failing ?? [];
  return {
    ...root,
    branches: [...sitesOfBundle(bundle)].map(([site, { tone, says }]) => ({
      kind: 'ManifestWork',
      name: `${site}/${bundleWorkName({ namespace, name })}`,
      on: 'hub',
      tone,
      says,
      branches: failing
        .filter(({ cluster, kind }) => cluster === site && kind !== '')
        .map(({ kind, namespace: where, name: what, reason }) => ({
          kind,
          name: where === undefined ? what : `${where}/${what}`,
          on: site,
          tone: 'bad',
          says: reason,
          branches: [],
        })),
    })),
  };
}

function rootOf(one: ExplainedFleet): Branch {
  const { namespace = '', name } = one.object.metadata;
  const { conditions = [] } = one.object.status ?? {};
  const ready = conditions.find(({ type }) => type === 'Ready');
  const { revision, ready: readySites, reason } = rolloutView(one);
  const shown = revision === '' ? '' : `revision ${shownRevision(revision)}, `;
  const sites = readySites === '' ? '' : `${readySites} sites Ready, `;
  return {
    kind: one.is,
    name: `${namespace}/${name}`,
    on: 'hub',
    tone: toneOfStatus(ready?.status),
    says: ready === undefined ? 'The hub has not looked at it yet' : `${shown}${sites}${reason}`,
    branches: [],
  };
}

function workOf({ metadata, status }: ManifestWork): Branch {
  const { namespace: site = '', name, deletionTimestamp } = metadata;
  const standing = deletionTimestamp === undefined ? standingIn(status?.conditions) : LEAVING;
  return {
    kind: 'ManifestWork',
    name: `${site}/${name}`,
    on: 'hub',
    ...standing,
    branches: (status?.resourceStatus?.manifests ?? []).map(({ resourceMeta, conditions }) => {
      const { kind = '', namespace = '', name: what = '' } = resourceMeta;
      return {
        kind,
        name: namespace === '' ? what : `${namespace}/${what}`,
        on: site,
        ...standingIn(conditions),
        branches: [],
      };
    }),
  };
}

interface Standing {
  readonly tone: Tone;
  readonly says: string;
}

const LEAVING: Standing = { tone: 'busy', says: 'is being removed' };

/** Applied first: what is not applied may be available as somebody else left it. */
function standingIn(conditions: readonly ForeignCondition[] = []): Standing {
  const told = ['Applied', 'Available'].map((type) => conditions.find((one) => one.type === type));
  const wrong = told.find((one) => one !== undefined && one.status !== 'True');
  const found = wrong ?? told.findLast((one) => one !== undefined);
  if (found === undefined) return { tone: 'unknown', says: 'not seen yet' };
  const { type, status, reason } = found;
  const says = status === 'True' ? type : [`${type}=${status}`, reason].filter(Boolean).join(', ');
  return { tone: toneOfStatus(status), says };
}

function byName({ metadata: a }: Capp, { metadata: b }: Capp): number {
  return a.name < b.name ? -1 : 1;
}
