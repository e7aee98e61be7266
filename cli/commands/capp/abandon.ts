// `kubectl capp abandon`: gives up the copy of a Capp on a site that never returns.
import { ABANDON } from '../../../crds/labels.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import type { Exit } from '../../exit.ts';
import { annotate, readCapp } from '../../hub/objects/capps.ts';
import { acting, onHub, type CommandCall, type Program } from '../command.ts';
import { confirmed } from './waiting.ts';

interface Flags {
  readonly yes?: true;
}

export function addAbandon(program: Program): void {
  onHub(program.root.command('abandon'))
    .description('give up the copy on a site that never returns, which asks you first')
    .argument('<capp>', 'its name, or namespace/name')
    .argument('<site...>', 'the lost sites')
    .option('-y, --yes', 'do not ask')
    .action(acting<Flags>(program, abandon));
}

async function abandon(call: CommandCall<Flags>): Promise<Exit> {
  const { args, hub, terminal } = call;
  const [name = '', ...sites] = args.filter((arg) => arg !== undefined);
  const capp = await readCapp(hub, name);
  const before = givenUp(capp);
  const all = [...new Set([...before, ...sites])];
  const who = `${capp.metadata.namespace}/${capp.metadata.name}`;
  if (all.length === before.length) {
    terminal.out(`The copies of ${who} on ${sites.join(', ')} are given up already.`);
    return 'done';
  }
  if (!(await confirmed(call, questionFor(capp, sites)))) return 'notSo';
  await annotate(hub, capp, { [ABANDON]: all.join(',') });
  terminal.out(
    `Asked the hub to give up the copies of ${who} on ${sites.join(', ')}. It does so only where OCM calls the site unavailable, or does not know it any more.`,
  );
  return 'done';
}

function givenUp({ metadata }: Capp): string[] {
  return (metadata.annotations?.[ABANDON] ?? '').split(/[\s,]+/).filter((site) => site !== '');
}

function questionFor({ metadata }: Capp, sites: readonly string[]): string {
  const where = sites.join(', ');
  const scope =
    metadata.deletionTimestamp === undefined ? ' Only copies that are being removed are given up.' : '';
  return `What runs of ${metadata.name} on ${where} may go on running there, with its data, and Cappstan does not wait for it any more.${scope} Give it up?`;
}
