// What nobody should do, and somebody does: messages that cannot be read, and works that are deleted or
// written on.
import { CAPP_NAME, CAPP_NAMESPACE, CAPP_KEY } from '../../../../crds/labels.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { cappWorkflowId, turnsWorkflowId } from '../../../../workflows/names.ts';
import { worksOn } from './ocm.ts';
import { NAMESPACE } from './names.ts';
import type { World } from './world.ts';

const SHAPES: readonly unknown[] = [
  null,
  7,
  '',
  'no',
  [],
  {},
  { causes: null },
  { cluster: 7 },
  { cluster: {}, answer: [] },
];
const TO_CAPPS = ['ring', 'permit', 'leave', 'migrate', 'unheard of'] as const;
const TO_DRAINS = ['requestTurn', 'settled', 'evacuate', 'configure', 'pause'] as const;

export function oddMessages(world: World, name: string): string {
  if (!world.knows('odd messages')) return 'no odd message';
  const shape = world.random.pick(SHAPES);
  const isToDrain = world.random.chance(0.3);
  const message = world.random.pick<string>(isToDrain ? TO_DRAINS : TO_CAPPS);
  const site = world.random.pick(world.names);
  const id = isToDrain ? turnsWorkflowId(site) : cappWorkflowId(NAMESPACE, name);
  world.temporal.send(id, message, [shape]);
  return `${id} hears ${message}: ${JSON.stringify(shape)}`;
}

export function foreignHands(world: World, name: string): string {
  if (!world.knows('foreign hands')) return 'no foreign hand';
  const cluster = world.random.pick(world.names);
  const [work] = worksOn(world, cluster);
  if (work === undefined) return `no work on ${cluster}`;
  const key = { namespace: cluster, name: work.metadata.name ?? '' };
  switch (world.random.pick(['delete', 'unmark', 'forge'] as const)) {
    case 'delete':
      world.server.remove(MANIFEST_WORK, key);
      return `somebody deletes the work ${key.name} on ${cluster}`;
    case 'unmark':
      mark(world, key, () => ({ labels: {}, annotations: {} }));
      return `somebody takes the marks of ${key.name} on ${cluster} away`;
    default:
      mark(world, key, ({ metadata }) => ({
        labels: { ...metadata.labels, [CAPP_KEY]: 'forged' },
        annotations: { ...metadata.annotations, [CAPP_NAMESPACE]: NAMESPACE, [CAPP_NAME]: name },
      }));
      return `${cluster} says that its work ${key.name} is that of ${name}`;
  }
}

function mark(
  world: World,
  key: { namespace: string; name: string },
  marks: (work: ManifestWork) => object,
): void {
  world.server.put<ManifestWork & { metadata: { name: string } }>(MANIFEST_WORK, key, (work) =>
    work === null ? null : { ...work, metadata: { ...work.metadata, ...marks(work) } },
  );
}
