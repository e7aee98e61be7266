// The command lines of `cappstan join` and `cappstan leave`.
import { resolve } from 'node:path';
import { isClusterName, linesBegunIn, parseJoinLine, type JoinLine } from '../../crds/join/join-line.ts';
import type { Proxy } from '../../kube/http/tunnel.ts';
import { flagsIn } from '../local/given.ts';
import type { BaseWishes } from './base/base.ts';
import { BASE_OPTIONS, wishesOf } from './base/command-line.ts';
import { proxyOf } from './proxy.ts';
import { JoinRefused } from './refused.ts';

/** Where the state of a site's agent is. */
const DATA_DIRECTORY = '/var/lib/cappstan-site';

export interface SiteFlags {
  /** Path of the site's kubeconfig. */
  readonly kubeconfig: string;
  /** Absolute. */
  readonly dir: string;
}

export type JoinCommand =
  | { readonly what: 'help' }
  | ({
      readonly what: 'join';
      readonly line: JoinLine;
      readonly cluster: string;
      readonly isDryRun: boolean;
      readonly isForeground: boolean;
      readonly proxy: Proxy | null;
      /** What of others comes with it; null: nothing. */
      readonly base: BaseWishes | null;
    } & SiteFlags)
  | ({
      readonly what: 'leave';
      /** The hub is no more, so what it has on the site goes as well. */
      readonly isHubGone: boolean;
      /** The digest of what the person has seen of that. */
      readonly lose: string | null;
    } & SiteFlags);

export const HELP = `Usage: cappstan join <line> --kubeconfig <file> [flags]
       cappstan leave --kubeconfig <file> [flags]

join registers a site with a hub, and ends when Capps can be placed on it, or says at which step it is stuck. OCM's
agent goes on in the background. The line is what cappstan token prints on the hub; - reads it from standard input,
where no other user of the machine sees it.
leave stops the agent, and takes away what join and the hub have brought. It refuses while the hub has Capps or works
there.

  --kubeconfig <file>   of the site, with all rights on it
  --data-dir <folder>   where the agent's credentials and logs are; ${DATA_DIRECTORY} if not given
  --cluster <name>      as which cluster, if the line is for any
  --proxy <url>         on the way from the site to the hub: http://host:port or https://host:port (join)
  --proxy-ca <file>     what has signed the certificate of a proxy with TLS, PEM (join)
  --proxy-credentials <file>   one line, user:password, for the proxy (join)
  --with-base[=<parts>] bring what a site needs as well: Knative, or these parts, as cappstan base does, of which it
                        takes --domain, --features, --manifests, --take-over and --values (join)
  --dry-run             check everything, and write nothing (join)
  --foreground          run the agent until Ctrl-C or SIGTERM, as for systemd (join)
  --hub-is-gone         the hub will never answer again: says what it has here, which goes as well (leave)
  --lose <digest>       the one that stands behind that list: take it away (leave)
  --help                this text`;

/** `stdin` gives all of standard input. Throws JoinRefused. */
export async function askedBy(args: readonly string[], stdin: () => Promise<string>): Promise<JoinCommand> {
  const { values, positionals } = parsed(args.map((arg) => (arg === WITH_BASE ? `${WITH_BASE}=` : arg)));
  if (values.help === true) return { what: 'help' };
  const [what, ...rest] = positionals;
  if (values.kubeconfig === undefined)
    throw new JoinRefused(['Say where the kubeconfig of the site is: --kubeconfig <file>.']);
  const site = { kubeconfig: resolve(values.kubeconfig), dir: resolve(values['data-dir'] ?? DATA_DIRECTORY) };
  if (what === 'leave') return { what, ...site, ...leavingBy(rest, values) };
  const [text, ...more] = rest;
  if (text === undefined || more.length > 0)
    throw new JoinRefused(['Give one line of cappstan token: cappstan join <line> --kubeconfig <file>.']);
  if (values['hub-is-gone'] !== undefined || values.lose !== undefined)
    throw new JoinRefused(['--hub-is-gone and --lose are for cappstan leave. Leave them out.']);
  const given = text === '-' ? await stdin() : text;
  const line = parseJoinLine(given);
  if (line === null) throw new JoinRefused([whyNoLine(given)]);
  return {
    what: 'join',
    line,
    cluster: clusterOf(line, values.cluster),
    isDryRun: values['dry-run'] === true,
    isForeground: values.foreground === true,
    proxy: proxyOf(values),
    base: baseOf(values),
    ...site,
  };
}

/** Quotes nothing: it may be half a token. */
function whyNoLine(given: string): string {
  if (given.trim() === '')
    return 'There is no line: it is empty. Give what cappstan token has printed on the hub.';
  if (linesBegunIn(given) > 1)
    return 'That is more than one line of cappstan token. Give the one for this site, and give it once.';
  return 'That is no line of cappstan token. It begins with J2 and ends with the address of the hub: copy all of it.';
}

function leavingBy(
  rest: readonly string[],
  { 'hub-is-gone': isHubGone = false, lose, ...others }: ReturnType<typeof parsed>['values'],
): { readonly isHubGone: boolean; readonly lose: string | null } {
  const known = new Set(['kubeconfig', 'data-dir']);
  if (rest.length > 0 || Object.keys(others).some((name) => !known.has(name)))
    throw new JoinRefused([
      'cappstan leave takes --kubeconfig, --data-dir, --hub-is-gone and --lose, and nothing else.',
    ]);
  if (lose !== undefined && !isHubGone)
    throw new JoinRefused(['--lose belongs to --hub-is-gone, which says what it has to be.']);
  return { isHubGone, lose: lose ?? null };
}

/** Its value may be left out. */
const WITH_BASE = '--with-base';
const BASE_FLAGS = Object.keys(BASE_OPTIONS) as readonly (keyof typeof BASE_OPTIONS)[];

function baseOf(values: ReturnType<typeof parsed>['values']): BaseWishes | null {
  const parts = values['with-base'];
  if (parts !== undefined) return wishesOf(parts === '' ? undefined : parts, values);
  const given = BASE_FLAGS.find((name) => values[name] !== undefined);
  if (given !== undefined) throw new JoinRefused([`--${given} is about the base: say ${WITH_BASE} as well.`]);
  return null;
}

function parsed(args: readonly string[]) {
  const options = {
    ...BASE_OPTIONS,
    'with-base': { type: 'string' },
    kubeconfig: { type: 'string' },
    'data-dir': { type: 'string' },
    cluster: { type: 'string' },
    'dry-run': { type: 'boolean' },
    'hub-is-gone': { type: 'boolean' },
    lose: { type: 'string' },
    foreground: { type: 'boolean' },
    proxy: { type: 'string' },
    'proxy-ca': { type: 'string' },
    'proxy-credentials': { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  return flagsIn(args, options, (said) => new JoinRefused([`${said} See cappstan join --help.`]));
}

function clusterOf({ cluster }: JoinLine, named: string | undefined): string {
  if (named !== undefined && !isClusterName(named))
    throw new JoinRefused(['--cluster must be at most 63 of a-z, 0-9 and -, such as shop-7.']);
  if (cluster !== null && named !== undefined && named !== cluster)
    throw new JoinRefused([
      `The line is for ${cluster} alone. Leave --cluster out, or ask for a line for ${named}.`,
    ]);
  const name = cluster ?? named;
  if (name === undefined)
    throw new JoinRefused(['The line is for any cluster. Say as which one: --cluster <name>.']);
  return name;
}
