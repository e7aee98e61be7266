// `kubectl capp plan -f`: what would go otherwise if a Placement or the RCSConfig were as in a file.
import type { SupposedEdit } from '../../../activities/hub/suppose/edit.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY, type RcsConfig } from '../../../crds/hub/rcs-config.ts';
import { PLACEMENT, type Placement } from '../../../crds/ocm/placements.ts';
import { keyText, type KubeObject, type Resource } from '../../../kube/resource.ts';
import { changesBetween } from '../../explain/changes.ts';
import { CommandFailure, type Exit } from '../../exit.ts';
import { selectedByTrial } from '../../hub/acts/trial-placement.ts';
import type { ConnectedHub } from '../../hub/connection/hub.ts';
import { objectsIn } from '../../hub/write/files.ts';
import { supposeEdit } from '../../hub/plan/suppose.ts';
import { editObject } from '../../hub/write/write.ts';
import { formatFrom, print } from '../../show/output.ts';
import { editedText } from '../../show/suppose.ts';
import type { CommandCall } from '../command.ts';
import { noteUnread } from './suppose.ts';

interface Flags {
  readonly output?: string;
}

/** Throws CommandFailure and ApiError, also for what the hub would refuse to write. */
export async function editPlan({ flags, hub, terminal }: CommandCall<Flags>, file: string): Promise<Exit> {
  const format = formatFrom(flags.output);
  const { resource, object } = await editIn(file, hub.namespace);
  const { namespace = '', name } = object.metadata;
  const what = `${resource.kind} ${namespace}/${name} as in ${file === '-' ? 'standard input' : file}`;
  const { colours } = terminal;
  const { before, after } = await wouldBe(hub, resource, object);
  if (changesBetween(before, after).length === 0) {
    print(
      terminal,
      format,
      { outlooks: [], unread: [] },
      () => `Nothing would change: ${what} is what there is.`,
    );
    return 'done';
  }
  const selected = resource === PLACEMENT ? await selectedByTrial(hub, after, terminal.interrupted) : null;
  const edit: SupposedEdit =
    selected === null
      ? { of: 'RCSConfig', object: after as RcsConfig & KubeObject }
      : { of: 'Placement', object: after, clusters: selected };
  const found = await supposeEdit(hub, edit);
  const shown = { what, selected, outlooks: found.outlooks };
  print(terminal, format, { ...(selected === null ? {} : { selected }), ...found }, (isWide) =>
    editedText(shown, { isWide, colours }),
  );
  noteUnread(terminal, found.unread);
  return 'done';
}

interface FromFile {
  readonly resource: typeof RCS_CONFIG | typeof PLACEMENT;
  readonly object: KubeObject & { readonly spec?: unknown };
}

async function editIn(file: string, namespace: string): Promise<FromFile> {
  const all = (await objectsIn(file)).flatMap(({ value }) => knownBy(value) ?? []);
  const [found] = all;
  if (found === undefined || all.length > 1) {
    const names = all.map(({ object }) => object.metadata.name).join(', ') || 'none';
    throw new CommandFailure(
      'usage',
      `${file === '-' ? 'Standard input' : file} must have one Placement or one RCSConfig. It has: ${names}. For a CappSet or a Bundle: kubectl capp rollout plan <name> -f ${file}.`,
    );
  }
  const { metadata } = found.object;
  const object = { ...found.object, metadata: { ...metadata, namespace: metadata.namespace ?? namespace } };
  if (
    found.resource === RCS_CONFIG &&
    keyText({ ...RCS_CONFIG_KEY }) !== `${object.metadata.namespace}/${metadata.name}`
  )
    throw new CommandFailure(
      'usage',
      `${file}: metadata is of RCSConfig ${object.metadata.namespace}/${metadata.name}, which the hub does not read. It reads ${keyText(RCS_CONFIG_KEY)}.`,
    );
  return { ...found, object };
}

/** Null for anything else, and for what has no name. */
function knownBy(value: unknown): FromFile | null {
  const object = (value ?? {}) as KubeObject;
  if (typeof object.metadata?.name !== 'string') return null;
  const resource = [RCS_CONFIG, PLACEMENT].find(({ kind }) => kind === object.kind);
  return resource === undefined ? null : { resource, object };
}

/** The object as the hub would store it: its spec is the file's. */
function wouldBe(hub: ConnectedHub, resource: Resource, { metadata, spec }: FromFile['object']) {
  const { namespace = '', name } = metadata;
  return editObject<Placement & KubeObject>(hub, resource, {
    dryRun: 'server',
    read: async () => {
      const there = await hub.kube.get<Placement & KubeObject>(resource, { namespace, name });
      if (there !== null) return there;
      throw new CommandFailure(
        'notFound',
        `There is no ${resource.kind} ${namespace}/${name} yet: nothing refers to what is not there, so there is nothing to plan.`,
      );
    },
    change: (there) => ({ ...there, spec: spec ?? {} }),
  });
}
