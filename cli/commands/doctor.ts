// `kubectl capp doctor`: a line with a remedy for each fault of the hub, and nothing when all is well. With
// `--pre`, for what keeps Cappstan from being installed.
import { examineBefore, seenBefore } from '../doctor/before/examine.ts';
import { gatherBefore } from '../doctor/before/gather.ts';
import { endingsIn, type CertificateEnding } from '../doctor/certificates.ts';
import { examine } from '../doctor/examine.ts';
import { gather } from '../doctor/gather.ts';
import { shownAt } from '../doctor/shown.ts';
import { SOON_MS } from '../doctor/trusted.ts';
import { SITE_WORDS } from '../explain/site-words.ts';
import { CommandFailure, type Exit } from '../exit.ts';
import { isSite, onSite } from '../hub/connection/elsewhere.ts';
import { ownCertificates } from '../hub/connection/hub.ts';
import { span } from '../show/age.ts';
import { faultsText } from '../show/faults.ts';
import { formatFrom, isForPrograms, print } from '../show/output.ts';
import type { Terminal } from '../terminal.ts';
import { acting, inFormats, onHub, withExamples, type CommandCall, type Program } from './command.ts';

interface Flags {
  readonly output?: string;
  readonly verbose?: true;
  readonly pre?: true;
  readonly certManager?: true;
  readonly temporal?: string;
  readonly gateway?: string;
}

const SECOND_HAND =
  'What only Temporal knows was read from HubStatus hub, which the bridge writes: whether Temporal answers, its search attributes, who polls, and the builds of hub workers.';

export function addDoctor(program: Program): void {
  const command = inFormats(onHub(program.root.command('doctor')))
    .description('look for faults of the hub; silent when there are none (for operators)')
    .option('-v, --verbose', 'say what was looked at, what cannot be, and when certificates end')
    .option('--pre', 'before an installation: look for what a hub or a site still lacks')
    .option('--temporal <host:port>', 'with --pre: the temporal.address that the chart will be given')
    .option(
      '--gateway <host:port>',
      'with --pre: the gateway.address that the chart will be given; with -v: where it is, to say when its certificate ends',
    )
    .option('--cert-manager', "with --pre: the webhook's certificate is to come from cert-manager")
    .action(acting<Flags>(program, (call) => (call.flags.pre === true ? before(call) : doctor(call))));
  withExamples(command, ['doctor -v', 'doctor --pre --temporal temporal.example:7233 -n cappstan-system']);
}

async function doctor({ flags, hub, terminal }: CommandCall<Flags>): Promise<Exit> {
  const format = formatFrom(flags.output);
  const isVerbose = flags.verbose === true;
  const early = (['temporal', 'gateway', 'certManager'] as const).find(
    (flag) => flags[flag] !== undefined && !(flag === 'gateway' && isVerbose),
  );
  if (early !== undefined)
    throw new CommandFailure(
      'usage',
      `--${early === 'certManager' ? 'cert-manager' : early} is for a look before an installation: give --pre as well, or leave it out.`,
    );
  if (await isSite(hub)) throw onSite(hub, 'the doctor looks at hubs');
  const { facts, unread } = await gather(hub);
  const faults = examine(facts, SITE_WORDS, Date.now());
  if (unread.length > 0) terminal.note(`You may not read, so this was not looked at: ${unread.join(', ')}.`);
  const certificates = isVerbose
    ? [...endingsIn(facts, await ownCertificates(flags, terminal.env)), ...(await ofGateway(flags, terminal))]
    : [];
  if (isVerbose) terminal.note(SECOND_HAND);
  for (const { of, ends } of certificates)
    terminal.note(`Certificate of ${of}: ${untilText(ends, Date.now())}.`);
  if (faults.length > 0 || isForPrograms(format))
    print(terminal, format, { faults, unread, ...(isVerbose ? { certificates } : {}) }, () =>
      faultsText(faults, terminal.colours),
    );
  if (isVerbose && faults.length === 0 && format === 'plain')
    terminal.out(
      unread.length === 0 ? 'No faults were found.' : 'No faults were found in what you may read.',
    );
  return faults.length === 0 ? 'done' : 'notSo';
}

/** As it shows it to this machine; nothing where no address was given. */
async function ofGateway({ gateway }: Flags, { note }: Terminal): Promise<CertificateEnding[]> {
  if (gateway === undefined) return [];
  const ends = await shownAt(gateway);
  if (ends === null) note(`${gateway} shows no certificate to this machine: check the address of --gateway.`);
  return ends === null ? [] : [{ of: `the gateway at ${gateway}`, ends }];
}

async function before({ flags, hub, terminal }: CommandCall<Flags>): Promise<Exit> {
  const format = formatFrom(flags.output);
  const { certManager, temporal, gateway } = flags;
  const is = (await isSite(hub)) ? 'site' : 'hub';
  const seen = await gatherBefore(hub, { is, certManager: certManager === true, temporal, gateway });
  const faults = examineBefore(seen);
  if (flags.verbose === true) for (const line of seenBefore(seen)) terminal.note(line);
  if (seen.is === 'hub' && seen.clusters === null)
    terminal.note('You may not read managedclusters, so the versions of sites were not looked at.');
  if (faults.length > 0 || isForPrograms(format))
    print(terminal, format, { is, faults }, () => faultsText(faults, terminal.colours));
  if (flags.verbose === true && faults.length === 0 && format === 'plain')
    terminal.out(`Nothing keeps Cappstan from being installed on this ${is}.`);
  return faults.length === 0 ? 'done' : 'notSo';
}

function untilText(ends: string, now: number): string {
  const left = Date.parse(ends) - now;
  if (left <= 0) return `ended ${ends}, ${span(-left)} ago`;
  return `ends ${ends}, in ${span(left)}${left < SOON_MS ? ': soon' : ''}`;
}
