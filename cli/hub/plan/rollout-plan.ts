// Asks the hub what would change if a CappSet or a Bundle were written: a dry run, whose answer the webhook
// puts into an annotation. Nothing is stored.
import { BUNDLE, type Bundle } from '../../../crds/bundle/bundle.ts';
import { PLAN } from '../../../crds/labels.ts';
import { CAPP_SET, type CappSet } from '../../../crds/set/cappset.ts';
import { RolloutPlan } from '../../../crds/rollout/plan.ts';
import { pathOf, type KubeObject } from '../../../kube/resource.ts';
import { CommandFailure } from '../../exit.ts';
import type { ConnectedHub } from '../connection/hub.ts';
import { objectsIn } from '../write/files.ts';
import type { SteeredFleet } from '../objects/steered.ts';

/** What the dry run says first; the answer takes its place. */
const QUESTION = 'please';

/** Throws CommandFailure when the hub gives no plan, and ApiError, also for what it would refuse to write. */
export async function planOf(
  { kube }: ConnectedHub,
  { resource, object }: Pick<SteeredFleet, 'resource' | 'object'>,
): Promise<RolloutPlan> {
  const { uid, namespace = '', name, annotations = {} } = object.metadata;
  const { managedFields: _fields, ...metadata } = object.metadata as KubeObject['metadata'] & {
    managedFields?: unknown;
  };
  const body = { ...object, metadata: { ...metadata, annotations: { ...annotations, [PLAN]: QUESTION } } };
  const isNew = uid === undefined;
  const path = pathOf(resource, { namespace, name: isNew ? null : name });
  const query = 'dryRun=All&fieldManager=kubectl-capp';
  const answered = (await kube.raw(isNew ? 'POST' : 'PUT', `${path}?${query}`, { body })) as KubeObject;
  return readAnswer(answered.metadata.annotations?.[PLAN] ?? '');
}

function readAnswer(answer: string): RolloutPlan {
  const value = answer.startsWith('{') ? (JSON.parse(answer) as object) : null;
  if (value !== null && 'failed' in value)
    throw new CommandFailure(
      'failed',
      `The webhook could not plan: ${String(value.failed)}. Try again later.`,
    );
  const parsed = RolloutPlan.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new CommandFailure(
    'failed',
    'The hub gave no plan: its webhook does not answer, or is of another version. Whoever runs the hub should look: kubectl capp doctor.',
  );
}

/** Which one of a file is meant; null: whichever there is. */
export interface NameInFile {
  readonly is: SteeredFleet['is'] | null;
  readonly name: string | null;
}

/**
 * The set or the Bundle as the file would make it: that of this kind and name, where no kind is said a set
 * before a Bundle, or the only one. `-` is standard input. Throws CommandFailure for a file without it.
 */
export async function steeredFromFile(
  file: string,
  { is, name }: NameInFile,
  namespace: string,
): Promise<SteeredFleet> {
  const all = (await objectsIn(file)).flatMap(({ value }) => steeredBy(value) ?? []);
  const those = all.filter(
    (one) => (is === null || one.is === is) && (name === null || one.object.metadata.name === name),
  );
  const found = those.find((one) => one.is === 'CappSet') ?? those[0];
  if (found === undefined || (name === null && those.length > 1)) {
    const names = all.map((one) => `${one.is} ${one.object.metadata.name}`).join(', ') || 'none';
    const what = [is ?? 'CappSet or Bundle', name ?? ''].join(' ').trim();
    const problem =
      found === undefined ? `${file} has no ${what}.` : `${file} has more than one: say which by its name.`;
    throw new CommandFailure('usage', `${problem} It has: ${names}.`);
  }
  return { ...found, object: asNew(found.object, namespace) } as SteeredFleet;
}

/** What a file that was read from a hub says besides is of another object, or of another time. */
function asNew({ apiVersion, kind, metadata, spec }: SteeredFleet['object'], namespace: string): object {
  const { name, namespace: own = namespace, labels = {}, annotations = {} } = metadata;
  return { apiVersion, kind, metadata: { name, namespace: own, labels, annotations }, spec };
}

/** Null for anything else, and for what has no name. */
function steeredBy(value: unknown): SteeredFleet | null {
  const { kind, metadata } = (value ?? {}) as { kind?: unknown; metadata?: { name?: unknown } | null };
  if (typeof metadata?.name !== 'string' || metadata.name === '') return null;
  if (kind === CAPP_SET.kind) return { is: 'CappSet', resource: CAPP_SET, object: value as CappSet };
  if (kind === BUNDLE.kind) return { is: 'Bundle', resource: BUNDLE, object: value as Bundle };
  return null;
}
