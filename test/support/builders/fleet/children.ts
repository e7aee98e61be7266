// The Capp of a set on site-1, and what the planner is told of that site by it.
import { memberOn, type SeenSet } from '../../../../activities/hub/set/targets.ts';
import { SET_WRITER } from '../../../../activities/hub/set/hand-edits.ts';
import { wantedBy } from '../../../../activities/hub/set/wanted.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import { PAUSED, SET_REVISION } from '../../../../crds/labels.ts';
import type { CappSet } from '../../../../crds/set/cappset.ts';
import { writtenAs } from '../../../../crds/written.ts';
import { contentOf, render, revisionOf, type RenderedChild } from '../../../../crds/set/render.ts';
import type { RefusedCopy } from '../../../../workflows/stages/memory.ts';
import { aSet } from './sets.ts';

/** When the Capp was written. */
export const WRITTEN = Date.parse('2026-03-01T12:00:00Z');

/** When it became Ready. */
export const READY = Date.parse('2026-03-01T12:01:00Z');
const LATER = READY + 600_000;

/** Reachable, and not drained. */
export const SITE = { cluster: 'site-1', labels: {}, reachable: true, lostSince: null, draining: false };
const MADE = aSet('shop', { sites: { clusters: ['site-1'] } });

/** A set that names site-1. */
export const SHOP: CappSet = { ...MADE, metadata: { ...MADE.metadata, uid: 'set-uid' } };
export const REVISION = revisionOf(SHOP.spec);

/** What the set writes on site-1. */
export const { spec: SPEC, ...MARKS } = render(SHOP.spec, SITE) as RenderedChild;
export const CONTENT = contentOf({ ...MARKS, spec: SPEC });

interface Child {
  readonly owner?: string;
  readonly written?: string;
  readonly generation?: number;
  readonly ready?: object | null;
  readonly deleting?: true;
  readonly spec?: object;
  /** What others than the set have written of its spec, as FieldsV1. */
  readonly others?: object;
  /** The annotation, and what the status says of moves. */
  readonly paused?: string | null;
  readonly migrating?: string;
}

/** The Capp of `SHOP` on site-1: written at `WRITTEN`, Ready since `READY`. */
export function aChild({
  owner = 'set-uid',
  written,
  generation = 2,
  ready,
  deleting,
  spec = SPEC,
  others,
  paused = null,
  migrating = 'NotMoving',
}: Child = {}): Capp {
  const condition = {
    type: 'Ready',
    status: 'True',
    reason: 'Serving',
    message: 'it serves',
    lastTransitionTime: new Date(READY).toISOString(),
    observedGeneration: 2,
    ...ready,
  };
  return {
    metadata: {
      namespace: 'apps',
      name: 'shop-site-1',
      generation,
      annotations: {
        [SET_REVISION]: written ?? writtenAs({ revision: REVISION, content: CONTENT, at: WRITTEN }),
        ...(paused === null ? {} : { [PAUSED]: paused }),
      },
      ownerReferences: [
        { apiVersion: 'rcs.dana.io/v1alpha1', kind: 'CappSet', name: 'shop', uid: owner, controller: true },
      ],
      ...(others === undefined ? {} : { managedFields: recordOf(others) }),
      ...(deleting === undefined ? {} : { deletionTimestamp: '2026-03-01T12:02:00Z' }),
    },
    spec,
    status: { conditions: ready === null ? [] : [condition, { type: 'Migrating', reason: migrating }] },
  } as unknown as Capp;
}

const recordOf = (others: object): object[] => [
  { manager: SET_WRITER, operation: 'Apply', fieldsV1: { 'f:spec': { 'f:scaleSpec': {} } } },
  { manager: 'hub', operation: 'Apply', subresource: 'status', fieldsV1: { 'f:status': {} } },
  { manager: 'kubectl-edit', operation: 'Update', fieldsV1: { 'f:spec': others } },
];

/** The set, and the Capp that is found of it. */
export const seenOf = (
  found: Capp | undefined,
  refused: Record<string, RefusedCopy> = {},
  now = LATER,
): SeenSet => ({
  set: SHOP,
  wanted: wantedBy(SHOP.spec),
  revision: REVISION,
  refused,
  now,
  capp: () => found,
});

/** What the planner is told of site-1. */
export const targetOf = (found: Capp | undefined, refused = {}) =>
  memberOn(seenOf(found, refused), SITE).target;
