// What `kubectl capp rollout` steers: a CappSet or a Bundle, with its revisions.
import { BUNDLE, type Bundle } from '../../../crds/bundle/bundle.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { BUNDLE_REVISION_KIND, type BundleRevision } from '../../../crds/bundle/bundle-revision.ts';
import { BUNDLE_KEY } from '../../../crds/labels.ts';
import { bundleKey } from '../../../crds/ocm/bundle-work.ts';
import { CAPP_SET, type CappSet } from '../../../crds/set/cappset.ts';
import { pathOf } from '../../../kube/resource.ts';
import type { ConnectedHub } from '../connection/hub.ts';
import { CommandFailure } from '../../exit.ts';
import { keyFrom, kindIn } from './capps.ts';
import { readIfAny } from './if-any.ts';
import { readBundle } from './named.ts';
import { findSet, ownRevisions, readSet, revisionsOfSet, withPattern, writeSet } from './sets.ts';

export type SteeredFleet =
  | { readonly is: 'CappSet'; readonly resource: typeof CAPP_SET; readonly object: CappSet }
  | { readonly is: 'Bundle'; readonly resource: typeof BUNDLE; readonly object: Bundle };

/** The kinds that a name may say. */
export const FLEETS = ['CappSet', 'Bundle'] as const satisfies readonly SteeredFleet['is'][];

/**
 * `name` or `namespace/name` of a CappSet, or else of a Bundle; `cappset/name` and `bundle/name` are only of
 * that kind. Throws CommandFailure when there is none, ApiError when it cannot be read.
 */
export async function readSteered(hub: ConnectedHub, text: string): Promise<SteeredFleet> {
  const kind = kindIn(text, FLEETS);
  if (kind === 'Bundle') return { is: kind, resource: BUNDLE, object: await readBundle(hub, text) };
  if (kind === 'CappSet') return { is: kind, resource: CAPP_SET, object: await readSet(hub, text) };
  const set = await findSet(hub, text);
  if (set !== null) return { is: 'CappSet', resource: CAPP_SET, object: set };
  const bundle = await readIfAny<Bundle>(hub, BUNDLE, keyFrom(text, hub.namespace));
  if (bundle !== null) return { is: 'Bundle', resource: BUNDLE, object: bundle };
  throw await neither(hub, text);
}

/** A Capp has no stages, and people who look for its rollout are told what tells of it. */
async function neither(hub: ConnectedHub, text: string): Promise<CommandFailure> {
  const { namespace, name } = keyFrom(text, hub.namespace);
  const what = `There is no CappSet ${name} in namespace ${namespace}, and no Bundle that you may read.`;
  const help =
    (await readIfAny(hub, CAPP, { namespace, name })) === null
      ? `See what is there: kubectl get cappsets,bundles -n ${namespace}.`
      : `${name} is a Capp, which has no stages: kubectl capp why ${name} -n ${namespace} says how it is.`;
  return new CommandFailure('notFound', `${what} ${help}`);
}

/** As a person would write it for another command. */
export function spelled({ is, object: { metadata } }: SteeredFleet): string {
  return is === 'Bundle' ? `bundle/${metadata.name}` : metadata.name;
}

export interface EarlierRevision {
  readonly revision: string;
  /** What is steered as it would be with it. */
  readonly steered: SteeredFleet;
  /**
   * Writes what it shipped into exactly the object that was read. Throws ApiError, a Conflict if that has
   * changed.
   */
  readonly restore: () => Promise<void>;
}

/** Newest first. Throws ApiError. */
export async function earlierOf(hub: ConnectedHub, steered: SteeredFleet): Promise<EarlierRevision[]> {
  if (steered.is === 'CappSet') {
    const { object } = steered;
    return (await revisionsOfSet(hub, object)).map((one) => {
      const restored = withPattern(object, one);
      return {
        revision: one.spec.revision,
        steered: { ...steered, object: restored },
        restore: () => writeSet(hub, restored),
      };
    });
  }
  const { object } = steered;
  return (await revisionsOfBundle(hub, object)).map((one) => {
    const restored = withManifests(object, one);
    return {
      revision: one.spec.revision,
      steered: { ...steered, object: restored },
      restore: () => writeBundle(hub, restored),
    };
  });
}

/** Newest first, without those of an earlier Bundle of the same name. Throws ApiError. */
export async function revisionsOfBundle({ kube }: ConnectedHub, bundle: Bundle): Promise<BundleRevision[]> {
  const { namespace = '', name } = bundle.metadata;
  const labelSelector = `${BUNDLE_KEY}=${bundleKey({ namespace, name })}`;
  const { items } = await kube.list<BundleRevision>(BUNDLE_REVISION_KIND, { namespace, labelSelector });
  return ownRevisions(items, bundle);
}

function withManifests(bundle: Bundle, { spec: { pattern } }: BundleRevision): Bundle {
  const { sites, placement, strategy, paused } = bundle.spec;
  const where = {
    ...(sites === undefined ? {} : { sites }),
    ...(placement === undefined ? {} : { placement }),
  };
  return { ...bundle, spec: { ...where, strategy, paused, ...pattern } };
}

async function writeBundle({ kube }: ConnectedHub, bundle: Bundle): Promise<void> {
  const { namespace = '', name } = bundle.metadata;
  const path = pathOf(BUNDLE, { namespace, name });
  await kube.raw('PUT', `${path}?fieldManager=kubectl-capp`, { body: bundle });
}
