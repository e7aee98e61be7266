// `cappstan kubeconfig`: a kubeconfig of one site, with a person's own account there.
import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { siteKubeconfig } from '../../hub/tunnel/kubeconfig.ts';
import { proxyAuthority, tokenFor, type SiteToken } from '../../hub/tunnel/way.ts';
import { CommandFailure, type Exit } from '../../exit.ts';
import { NAME } from '../../../reach/names.ts';
import { yamlOf } from '../../show/output.ts';
import { refuseExisting, saveLine } from '../join/save-line.ts';
import { acting, onHub, withExamples, type CommandCall, type Program } from '../command.ts';

interface Flags {
  readonly account?: string;
  readonly server?: string;
  readonly certificateAuthority?: string;
  readonly proxyNamespace: string;
  readonly save?: string;
}

/** Where cluster-proxy's chart is installed by its own page, and how it calls its user server. */
const PROXY_NAMESPACE = 'open-cluster-management-addon';
const USER_SERVER = 'cluster-proxy-addon-user';
const PORT = 9092;

export function addKubeconfig(program: Program): void {
  const command = withExamples(onHub(program.root.command('kubeconfig')), [
    'kubeconfig site-1 --account dana --save site-1.kubeconfig',
    'kubeconfig site-1 --server https://127.0.0.1:9092 > site-1.kubeconfig',
  ]);
  withFlags(command)
    .description("a kubeconfig of a site, through OCM's tunnel, with an account of your own there")
    .argument('<site>', 'as kubectl capp sites lists it')
    .action(acting<Flags>(program, kubeconfig));
}

function withFlags(command: Command): Command {
  return command
    .option(
      '--account <name>',
      "a ManagedServiceAccount of the site's namespace, if there are several",
      named,
    )
    .option(
      '--server <url>',
      'where you reach the user server of cluster-proxy, if not inside of the hub',
      address,
    )
    .option('--certificate-authority <file>', 'PEM of what has signed its certificate, instead of reading it')
    .option('--proxy-namespace <namespace>', 'where cluster-proxy is on the hub', PROXY_NAMESPACE)
    .option('--save <file>', 'write it there, for you alone, instead of showing it');
}

function named(text: string): string {
  if (NAME.test(text)) return text;
  throw new InvalidArgumentError('Write the name of a ManagedServiceAccount, such as dana.');
}

function address(text: string): string {
  if (URL.canParse(text) && new URL(text).protocol === 'https:') return text;
  throw new InvalidArgumentError('Write an address such as https://127.0.0.1:9092.');
}

async function kubeconfig({ args, flags, hub, terminal }: CommandCall<Flags>): Promise<Exit> {
  const [site = ''] = args;
  if (!NAME.test(site)) throw new CommandFailure('usage', 'A site has a name such as site-1.');
  const { save, proxyNamespace } = flags;
  if (save !== undefined) refuseExisting(save);
  const own = await tokenFor(hub, site, flags.account ?? null);
  const authority = await authorityFrom({ hub, flags });
  const inside = `${USER_SERVER}.${proxyNamespace}.svc`;
  const server = flags.server ?? `https://${inside}:${PORT}`;
  // From outside it has another name than its certificate: that of the Service is always in it.
  const tlsName = flags.server === undefined ? null : inside;
  const text = yamlOf(
    siteKubeconfig({ site, account: own.account, server, tlsName, authority, token: own.token }),
  );
  if (save === undefined) terminal.out(text);
  else saveLine(save, text, 'Give another one with --save.');
  for (const note of notesOn(site, own, flags)) terminal.note(note);
  return 'done';
}

async function authorityFrom({ hub, flags }: Pick<CommandCall<Flags>, 'hub' | 'flags'>): Promise<string> {
  const { certificateAuthority: file, proxyNamespace } = flags;
  if (file === undefined) return proxyAuthority(hub, proxyNamespace);
  const text = contentOf(file);
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw new CommandFailure('usage', `${file} has no certificate: give PEM with --certificate-authority.`);
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new CommandFailure(
      'usage',
      `${file} cannot be read (${code}): give PEM with --certificate-authority.`,
    );
  }
}

/** How long it is good, how it is reached, and what helps when the site says Forbidden. */
function notesOn(site: string, { account, namespace, goodUntil }: SiteToken, flags: Flags): string[] {
  const until = goodUntil === null ? 'until managed-serviceaccount renews its token' : `until ${goodUntil}`;
  const again = `Good ${until}: then make it again. Whoever has it can use it: keep it secret.`;
  const forward = `kubectl port-forward -n ${flags.proxyNamespace} svc/${USER_SERVER} ${PORT}`;
  const reached = `It leads to the Service of cluster-proxy, inside of the hub's cluster. Outside of it run ${forward}, and make it with --server https://127.0.0.1:${PORT}.`;
  const rights = `Where ${site} answers Forbidden, its admin gives the account a role there: kubectl create clusterrolebinding ${account} --clusterrole=view --serviceaccount=${namespace}:${account}.`;
  return [again, ...(flags.server === undefined ? [reached] : []), rights];
}
