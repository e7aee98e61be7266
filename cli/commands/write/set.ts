// `kubectl capp set`: changes the image, variables or hostname of a Capp or of the template of a CappSet.
import type { Command } from 'commander';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { CAPP_SET, type CappSet } from '../../../crds/set/cappset.ts';
import { setNameOf } from '../../explain/capp/phase.ts';
import { changesBetween, inWords } from '../../explain/changes.ts';
import { CommandFailure, type Exit } from '../../exit.ts';
import type { ConnectedHub } from '../../hub/connection/hub.ts';
import { readNamed } from '../../hub/objects/named.ts';
import { readSet } from '../../hub/objects/sets.ts';
import { editObject, type Edited } from '../../hub/write/write.ts';
import { BadEdit, envEdit, hostnameEdit, imageEdit, type SpecEdit } from '../../manifests/edits.ts';
import { envEditFrom, type EnvEdit } from '../../manifests/env.ts';
import { acting, onHub, withExamples, type CommandCall, type Program } from '../command.ts';
import { checkOutput, dryRunOf, showWritten, writing, type WriteFlags } from './writing.ts';

interface Flags extends WriteFlags {
  readonly container?: string;
}

const WHAT = ['<capp>', 'its name, namespace/name, or cappset/name for the template of a CappSet'] as const;

export function addSet(program: Program): void {
  const root = program.root
    .command('set')
    .description('change the image, variables or hostname of a Capp or of the template of a CappSet');
  const add = (name: string): Command => writing(onHub(root.command(name))).argument(...WHAT);
  const image = add('image')
    .description('give it another image')
    .argument('<image>', 'the image, or <container>=<image> where there are several containers')
    .action(acting<Flags>(program, (call) => edited(call, imageFrom(call.args[1] ?? ''))));
  withExamples(image, [
    'set image hello ghcr.io/team/app:v2 -n team-a',
    'set image cappset/shop web=shop:v2',
  ]);
  const env = add('env')
    .description('set environment variables, or take them away')
    .argument('<change...>', 'NAME=value, or NAME- to take it away')
    .option('-c, --container <container>', 'which container; the only one if not given')
    .action(acting<Flags>(program, (call) => edited(call, envFrom(call))));
  withExamples(env, ['set env hello GREETING=hi OLD- -n team-a']);
  const hostname = add('hostname')
    .description('give it another hostname, or none')
    .argument('<hostname>', 'the name by which users reach it; - for none')
    .action(
      acting<Flags>(program, (call) =>
        edited(call, hostnameEdit(call.args[1] === '-' ? '' : (call.args[1] ?? ''))),
      ),
    );
  withExamples(hostname, ['set hostname hello hello.example.com -n team-a']);
}

/** An image may have a `=` nowhere, and a container's name has neither `/` nor `:`. */
function imageFrom(text: string): SpecEdit {
  const [, container, image = ''] = /^(?:([^=/:]+)=)?([^=\s]+)$/.exec(text) ?? [];
  if (image === '')
    throw new CommandFailure('usage', `"${text}" is no image: write <image>, or <container>=<image>.`);
  return imageEdit(container ?? null, image);
}

function envFrom({ args: [, ...changes], flags }: CommandCall<Flags>): SpecEdit {
  const edits = changes.map((text): EnvEdit => {
    const edit = envEditFrom(text ?? '');
    // A value may be secret: only the name is repeated.
    if (edit === null)
      throw new CommandFailure(
        'usage',
        `"${(text ?? '').replace(/=.*$/s, '=…')}" is no change of a variable: write NAME=value, or NAME- to take it away.`,
      );
    return edit;
  });
  return envEdit(flags.container ?? null, edits);
}

type App =
  | { readonly is: 'Capp'; readonly object: Capp }
  | { readonly is: 'CappSet'; readonly object: CappSet };

async function edited(
  { args: [name = ''], flags, hub, terminal }: CommandCall<Flags>,
  edit: SpecEdit,
): Promise<Exit> {
  checkOutput(flags);
  const found = await readApp(hub, name);
  const { after, before, isChanged } = await write(hub, found, edit, flags);
  const { namespace = '', name: own, generation } = after.metadata;
  const what = `${found.is} ${namespace}/${own}`;
  const changes = inWords(changesBetween(before.spec, after.spec));
  showWritten(terminal, flags, after, {
    done: isChanged
      ? `${what} is changed, as generation ${generation}: ${changes}.`
      : `${what} has that already.`,
    would: isChanged ? `${what} would be changed: ${changes}.` : `${what} has that already.`,
    next: isChanged ? `Follow it: ${followWith(found.is, own)} -n ${namespace}` : '',
  });
  return 'done';
}

function followWith(is: App['is'], name: string): string {
  return is === 'Capp' ? `kubectl capp watch ${name}` : `kubectl capp rollout status ${name}`;
}

/** Throws CommandFailure for a Bundle, and for a Capp that a CappSet writes. */
async function readApp(hub: ConnectedHub, text: string): Promise<App> {
  const found = await readNamed(hub, text);
  if (found.is === 'Bundle')
    throw new CommandFailure(
      'usage',
      `${text} is a Bundle, which holds manifests: kubectl capp create bundle ${found.object.metadata.name} -f <file> --overwrite.`,
    );
  const set = found.is === 'Capp' ? setNameOf(found.object) : null;
  if (set === null) return found;
  throw new CommandFailure(
    'failed',
    `CappSet ${set} writes the spec of ${found.object.metadata.name}: change its template, cappset/${set}.`,
  );
}

async function write(
  hub: ConnectedHub,
  found: App,
  edit: SpecEdit,
  flags: WriteFlags,
): Promise<Edited<Capp | CappSet>> {
  const { namespace = '', name } = found.object.metadata;
  const dryRun = dryRunOf(flags);
  const text = `${namespace}/${name}`;
  try {
    if (found.is === 'Capp')
      return await editObject<Capp>(hub, CAPP, {
        dryRun,
        read: async () => (await readApp(hub, text)).object as Capp,
        change: (capp) => ({ ...capp, spec: edit(capp.spec) as Capp['spec'] }),
      });
    return await editObject<CappSet>(hub, CAPP_SET, {
      dryRun,
      read: () => readSet(hub, text),
      change: ({ spec, ...set }) => {
        const template = { ...spec.template, spec: edit(spec.template.spec) as Capp['spec'] };
        return { ...set, spec: { ...spec, template } };
      },
    });
  } catch (error) {
    if (error instanceof BadEdit) throw new CommandFailure('usage', `${found.is} ${text}: ${error.message}`);
    throw error;
  }
}
