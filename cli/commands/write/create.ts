// `kubectl capp create`: a Capp, a CappSet or a Bundle from flags and files.
import { InvalidArgumentError, Option, type Command } from 'commander';
import { CAPP } from '../../../crds/capp/capp.ts';
import { CAPP_SET } from '../../../crds/set/cappset.ts';
import type { Resource } from '../../../kube/resource.ts';
import type { Exit } from '../../exit.ts';
import { keyFrom } from '../../hub/objects/capps.ts';
import { createObject } from '../../hub/write/write.ts';
import { cappFrom, setFrom, type App, type WrittenManifest } from '../../manifests/app.ts';
import { envEditFrom, type EnvEdit } from '../../manifests/env.ts';
import { acting, onHub, withExamples, type CommandCall, type Program } from '../command.ts';
import { addCreateBundle } from './create-bundle.ts';
import { neededWhere, onSites, type WhereFlags } from './where.ts';
import { checkOutput, dryRunOf, showWritten, writing, type WriteFlags } from './writing.ts';

interface AppFlags extends WriteFlags {
  readonly image: string;
  readonly env?: readonly EnvEdit[];
  readonly envFrom?: App['envFrom'];
  readonly hostname?: string;
}

export function addCreate(program: Program): void {
  const root = program.root
    .command('create')
    .description('create a Capp, a CappSet or a Bundle, or print it for a file');
  const capp = appFlags(writing(onHub(root.command('capp'))))
    .description('create a Capp: one container app, on the best site or where you say')
    .argument('<name>', 'its name, or namespace/name')
    .option('--site <site>', 'a site, or a Placement that the RCSConfig lists; the best site if not given')
    .action(
      acting<AppFlags & { readonly site?: string }>(program, (call) =>
        created(call, CAPP, cappFrom(appOf(call), call.flags.site)),
      ),
    );
  withExamples(capp, [
    'create capp hello --image ghcr.io/team/app:v1 --env GREETING=hello -n team-a',
    'create capp hello --image ghcr.io/team/app:v1 --dry-run=client -o yaml > hello.yaml',
  ]);
  const set = onSites(appFlags(writing(onHub(root.command('set')))))
    .description('create a CappSet: the same container app on many sites')
    .argument('<name>', 'its name, or namespace/name')
    .action(
      acting<AppFlags & WhereFlags>(program, (call) =>
        created(call, CAPP_SET, setFrom(appOf(call), neededWhere(call.flags))),
      ),
    );
  withExamples(set, ['create set shop --image ghcr.io/retail/shop:v1 --placement shops -n retail']);
  addCreateBundle(program, root);
}

function appFlags(command: Command): Command {
  return command
    .addOption(new Option('--image <image>', 'what to run').makeOptionMandatory())
    .option('--env <name=value>', 'an environment variable; may be repeated', variable)
    .option(
      '--env-from <source>',
      'each key of configmap/<name> or secret/<name> as a variable; may be repeated',
      source,
    )
    .option('--hostname <hostname>', 'the name by which users reach it');
}

function variable(text: string, before: readonly EnvEdit[] = []): EnvEdit[] {
  const edit = envEditFrom(text);
  if (edit === null || edit.value === null) throw new InvalidArgumentError('Write NAME=value.');
  return [...before, edit];
}

function source(text: string, before: App['envFrom'] = []): App['envFrom'] {
  const [, kind = '', name] = /^(configmap|secret)\/([^/\s]+)$/.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError('Write configmap/<name> or secret/<name>.');
  return [...before, { kind: kind as App['envFrom'][number]['kind'], name }];
}

function appOf({ args: [text = ''], flags, hub }: CommandCall<AppFlags>): App {
  const { image, env = [], envFrom = [], hostname } = flags;
  return { ...keyFrom(text, hub.namespace), image, env, envFrom, hostname };
}

async function created(
  call: CommandCall<AppFlags>,
  resource: Resource,
  object: WrittenManifest,
): Promise<Exit> {
  const { flags, hub, terminal } = call;
  checkOutput(flags);
  const { namespace, name } = object.metadata;
  const isSet = resource === CAPP_SET;
  const named = isSet ? `cappset/${name}` : name;
  const after = await createObject(hub, resource, object, {
    dryRun: dryRunOf(flags),
    instead: `Change it: kubectl capp set image ${isSet ? 'cappset' : 'capp'}/${name} <image> -n ${namespace}.`,
  });
  const what = `${resource.kind} ${namespace}/${name}`;
  showWritten(terminal, flags, after, {
    done: `Created ${what}.`,
    would: `${what} would be created.`,
    next: `See how it is: kubectl capp why ${named} -n ${namespace}`,
  });
  return 'done';
}
