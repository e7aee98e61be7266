// The command line of `cappstan etcd`.
import { isIPv4 } from 'node:net';
import { resolve } from 'node:path';
import { isHost } from '../hub/config/hostname.ts';
import { ConfigRefused } from '../hub/config/refused.ts';
import { flagsIn } from '../local/given.ts';
import type { Place } from './members.ts';

const DATA_DIRECTORY = '/var/lib/cappstan-etcd';
const PORT = 2379;
/** The last port of the last member is five higher. */
const HIGHEST = 65_530;

export const HELP = `Usage: cappstan etcd [flags]

Runs an etcd of three members on this machine, with TLS, until it gets Ctrl-C or SIGTERM. Hubs keep their
objects in it: cappstan hub --etcd-mode external. One member may end, and may lose its data: it comes back by itself.

  --data-dir <folder>        where data, logs and, in cert-etcd/, the certificates are; ${DATA_DIRECTORY} if not given
  --port <port>              of the first member; ${PORT} if not given. The members take six ports from it on
  --bind-address <address>   the IPv4 address on which they listen for hubs; 127.0.0.1 if not given
  --external-hostname <name> the name or address at which hubs reach them; the bind address if not given
  --dry-run                  say what would run, and write nothing
  -h, --help                 this text`;

export interface EtcdCommand {
  readonly isHelp: boolean;
  readonly isDryRun: boolean;
  /** Absolute. */
  readonly directory: string;
  readonly place: Place;
}

/** Throws ConfigRefused. */
export function etcdAskedBy(args: readonly string[]): EtcdCommand {
  const refused = (said: string): ConfigRefused => new ConfigRefused([`${said} See cappstan etcd --help.`]);
  const text = { type: 'string' } as const;
  const options = {
    'data-dir': text,
    port: text,
    'bind-address': text,
    'external-hostname': text,
    'dry-run': { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const { values, positionals } = flagsIn(args, options, refused);
  const [extra] = positionals;
  if (extra !== undefined) throw refused(`"${extra}" belongs to no flag.`);
  const empty = Object.entries(values).find(([, value]) => value === '');
  if (empty !== undefined) throw refused(`--${empty[0]} needs a value behind it.`);
  return {
    isHelp: values.help === true,
    isDryRun: values['dry-run'] === true,
    directory: resolve(values['data-dir'] ?? DATA_DIRECTORY),
    place: placeOf(values),
  };
}

function placeOf(values: {
  readonly port?: string | undefined;
  readonly 'bind-address'?: string | undefined;
  readonly 'external-hostname'?: string | undefined;
}): Place {
  const { port = String(PORT), 'bind-address': bind = '127.0.0.1', 'external-hostname': given } = values;
  const host = given ?? bind;
  const refusals = [
    ...(/^\d+$/.test(port) && Number(port) > 0 && Number(port) <= HIGHEST
      ? []
      : [`--port must be a number from 1 to ${HIGHEST}: the members take six ports from it on.`]),
    ...(isIPv4(bind) ? [] : [`--bind-address must be an IPv4 address, such as 127.0.0.1 or 0.0.0.0.`]),
    ...(host === '0.0.0.0'
      ? ['--external-hostname must be given with --bind-address 0.0.0.0: hubs reach no such address.']
      : []),
    ...(isHost(host)
      ? []
      : [
          '--external-hostname must be a name or an IPv4 address, without scheme and port, such as etcd.example.',
        ]),
  ];
  if (refusals.length > 0) throw new ConfigRefused(refusals);
  return { bind, host, port: Number(port) };
}
