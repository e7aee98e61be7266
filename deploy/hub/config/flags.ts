// The command line of `cappstan hub`, as raw values by field.
import { parseArgs } from 'node:util';
import { ConfigRefused } from './refused.ts';
import { FIELDS } from './fields.ts';
import { closest } from './closest.ts';

export interface CommandLine {
  /** A file, or a directory with an ocmconfig.yaml; null without one. */
  readonly config: string | null;
  readonly isDryRun: boolean;
  readonly isHelp: boolean;
  /** By the field's path. A port is a number if it reads as one. */
  readonly values: Readonly<Record<string, unknown>>;
}

const OWN = [
  ['--config', 'a file with these fields, or a directory with an ocmconfig.yaml'],
  ['--dry-run', 'say what would run, and write nothing'],
  ['--help', 'this text'],
] as const;

/** Throws ConfigRefused. */
export function commandLine(args: readonly string[]): CommandLine {
  const strings = [...FIELDS.map(({ flag }) => flag), '--config'];
  const { values, tokens } = parseArgs({
    args: [...args],
    options: {
      ...Object.fromEntries(strings.map((flag) => [flag.slice(2), { type: 'string' as const }])),
      'dry-run': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
    strict: false,
    tokens: true,
  });
  const refusals = tokens.flatMap((token) => refusalOf(token, strings));
  if (refusals.length > 0) throw new ConfigRefused(refusals);
  const given = FIELDS.flatMap(({ path, flag }) => {
    const text = values[flag.slice(2)];
    return typeof text === 'string' ? [[path, valueOf(path, text)] as const] : [];
  });
  const { config } = values;
  return {
    config: typeof config === 'string' ? config : null,
    isDryRun: values['dry-run'] === true,
    isHelp: values['help'] === true,
    values: Object.fromEntries(given),
  };
}

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number];

/** What people type behind the command because other programs have it. */
const ELSEWHERE = new Map([
  ['install', 'The archive has cappstan-hub.service for systemd.'],
  ['start', 'cappstan hub alone starts it.'],
  ['run', 'cappstan hub alone starts it.'],
  ['status', 'cappstan hubs says how the hubs of this machine are.'],
  ['stop', 'Press Ctrl-C where it runs, send it SIGTERM, or stop its service.'],
  ['join', 'A site joins by cappstan join.'],
  ['token', 'cappstan token makes one.'],
]);

function refusalOf(token: Token, strings: readonly string[]): string[] {
  if (token.kind === 'positional') {
    const remedy = ELSEWHERE.get(token.value) ?? 'Values come behind flags, as in --data-dir /srv/hub.';
    return [`"${token.value}" belongs to no flag. ${remedy}`];
  }
  if (token.kind !== 'option') return [];
  const flag = `--${token.name}`;
  if (strings.includes(flag))
    return token.value === undefined || token.value === '' || token.value.startsWith('--')
      ? [`${flag} needs a value behind it.`]
      : [];
  if (!['--dry-run', '--help'].includes(flag))
    return [
      `${token.rawName} is no flag of cappstan hub. ${closest(flag, [...strings, '--dry-run', '--help'])}`,
    ];
  return token.value === undefined ? [] : [`${flag} takes no value: leave out what is behind it.`];
}

/** Fields whose flag takes several, separated by commas. */
const LISTS = new Set(['etcd.servers', 'metal.provisionNamespaces', 'metal.provisionClusterSets']);

function valueOf(path: string, text: string): unknown {
  if (/\.(?:port|externalPort)$/.test(path)) return /^\d+$/.test(text) ? Number(text) : text;
  return LISTS.has(path) ? text.split(',') : text;
}

/** What --help prints. */
export function help(): string {
  const rows = [...FIELDS.map(({ flag, about }) => [flag, about] as const), ...OWN];
  const width = Math.max(...rows.map(([flag]) => flag.length)) + 2;
  const lines = rows.map(([flag, about]) => `  ${flag.padEnd(width)}${about}`);
  return [
    'Usage: cappstan hub [flags]',
    '',
    'Runs a hub on this machine until it gets Ctrl-C or SIGTERM.',
    'cappstan hub backup, restore and admit: see cappstan hub backup --help. All hubs: cappstan hubs.',
    '',
    ...lines,
  ].join('\n');
}
