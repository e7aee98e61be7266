// `cappstan hub backup`, `restore` and `admit`: their command lines, and what they say at their end.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { flagsIn, whyUnread } from '../../local/given.ts';
import { buildTools } from '../../local/programs/build.ts';
import { HUB_MODULES } from '../../local/programs/modules.ts';
import type { Progress } from '../../local/terminal.ts';
import { admitSites, type Admit } from '../admit/admit.ts';
import { DATA_DIRECTORY } from '../config/config.ts';
import { ConfigRefused } from '../config/refused.ts';
import { asAt } from './about.ts';
import { backUpHub } from './backup.ts';
import { restoreHub } from './restore.ts';
import { identitiesIn, type Keys, type ArchiveLock } from './seal.ts';

const HELP = `Usage: cappstan hub backup <file> [--data-dir <folder>] [flags]
       cappstan hub restore <file> [--data-dir <folder>] [flags]
       cappstan hub admit [--data-dir <folder>] [flags]

backup writes all that a running hub needs to live again into one file, which only its owner may read.
restore makes a data directory from it. A hub that is started there lets nobody in until you admit its sites.
admit shows what the sites have and that hub does not, and opens its doors when you have seen it.

  --data-dir <folder>        of the hub; ${DATA_DIRECTORY} if not given
  --passphrase-file <file>   encrypt, or open, with the passphrase in it (backup, restore)
  --encrypt-to <recipient>   encrypt for a key of age, age1…; may be given again (backup)
  --overwrite                replace a file of this name (backup)
  --identity-file <file>     open with the keys that age-keygen has written (restore)
  --site <cluster>=<file>    what is on it: kubectl get appliedmanifestworks -o json, there; may be given again (admit)
  --unseen <cluster>         comes in though nobody has looked; may be given again (admit)
  --lose <digest>            that list of losses was shown, and is accepted (admit)
  --help                     this text`;

const ACTS = { backup, restore, admit } as const;
type Act = keyof typeof ACTS;

export function isActOfABackup(word: string | undefined): word is Act {
  return word !== undefined && Object.hasOwn(ACTS, word);
}

/** `args` begin with its name. Throws ConfigRefused. */
export async function actOfABackup(args: readonly string[], progress: Progress): Promise<void> {
  const { values, positionals } = parsed(args);
  if (values.help === true) return progress.say(HELP);
  const [act, ...rest] = positionals;
  if (!isActOfABackup(act)) throw new ConfigRefused(['See cappstan hub backup --help.']);
  const foreign = Object.keys(values).filter((flag) => flag !== 'data-dir' && !FLAGS[act].includes(flag));
  if (foreign.length > 0)
    throw new ConfigRefused([`cappstan hub ${act} takes no --${foreign.join(', --')}. See --help.`]);
  if (rest.length !== (act === 'admit' ? 0 : 1))
    throw new ConfigRefused([
      act === 'admit'
        ? `"${rest[0]}" belongs to no flag. See cappstan hub admit --help.`
        : `Give one file: cappstan hub ${act} <file>.`,
    ]);
  process.umask(0o077);
  await ACTS[act](
    { values, dir: resolve(values['data-dir'] ?? DATA_DIRECTORY), file: resolve(rest[0] ?? '') },
    progress,
  );
}

const FLAGS: Readonly<Record<Act, readonly string[]>> = {
  backup: ['passphrase-file', 'encrypt-to', 'overwrite'],
  restore: ['passphrase-file', 'identity-file'],
  admit: ['site', 'unseen', 'lose'],
};

interface Given {
  readonly values: ReturnType<typeof parsed>['values'];
  readonly dir: string;
  readonly file: string;
}

async function backup({ values, dir, file }: Given, progress: Progress): Promise<void> {
  const lock = await lockOf(values);
  const asked = { file, dir, lock, isOverwriting: values.overwrite === true };
  const { bytes } = await progress.step('Backing up the hub', () => backUpHub(asked));
  const size = `${(bytes / 1_048_576).toFixed(1)} MiB`;
  progress.say(
    lock === null
      ? `${file} (${size}) has every key of the hub: whoever reads it is the hub. Keep it so, or give --encrypt-to.`
      : `${file} (${size}) is encrypted. Without its key or passphrase nobody can restore it.`,
  );
}

async function restore({ values, dir, file }: Given, progress: Progress): Promise<void> {
  const keys = await keysOf(values);
  await buildTools(progress, HUB_MODULES);
  const { at } = await progress.step('Restoring the hub', () => restoreHub({ file, dir, keys }));
  progress.say(
    [
      `The hub is in ${dir}, ${asAt(at)}. Start it: nobody can come in until you admit its sites.`,
      `  cappstan hub --config ${dir}`,
    ].join('\n'),
  );
}

async function admit({ values, dir }: Given, progress: Progress): Promise<void> {
  const { site = [], unseen = [], lose } = values;
  if (lose !== undefined && !/^[\da-f]{10}$/.test(lose))
    throw new ConfigRefused([
      `--lose must be what was shown behind the list, such as 3f9a1c2b7d. It is ${JSON.stringify(lose)}.`,
    ]);
  const asked: Admit = {
    dir,
    sites: new Map(site.map(pairIn)),
    unseen,
    lose: lose ?? null,
  };
  await admitSites(asked, progress);
}

function pairIn(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1 || at === text.length - 1)
    throw new ConfigRefused([`--site ${text} names no file. Give --site <cluster>=<file>.`]);
  return [text.slice(0, at), resolve(text.slice(at + 1))];
}

async function lockOf(values: Given['values']): Promise<ArchiveLock | null> {
  const { 'passphrase-file': file, 'encrypt-to': recipients } = values;
  if (file !== undefined && recipients !== undefined)
    throw new ConfigRefused(['--passphrase-file and --encrypt-to exclude each other. Give one of them.']);
  if (file !== undefined) return { passphrase: await passphraseIn(file) };
  return recipients === undefined ? null : { recipients };
}

async function keysOf(values: Given['values']): Promise<Keys | null> {
  const { 'passphrase-file': file, 'identity-file': identities } = values;
  if (file !== undefined && identities !== undefined)
    throw new ConfigRefused(['--passphrase-file and --identity-file exclude each other. Give one of them.']);
  if (file !== undefined) return { passphrase: await passphraseIn(file) };
  if (identities === undefined) return null;
  return { identities: await identitiesIn(await textIn('--identity-file', identities), identities) };
}

/** All of the file but the line end behind it. */
async function passphraseIn(file: string): Promise<string> {
  const given = (await textIn('--passphrase-file', file)).replace(/\r?\n$/, '');
  if (given === '')
    throw new ConfigRefused([`--passphrase-file: ${file} is empty. Write a passphrase into it.`]);
  return given;
}

function textIn(flag: string, file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new ConfigRefused([`${flag}: ${file} ${whyUnread(error)}. Give a file that you may read.`]);
  });
}

function parsed(args: readonly string[]) {
  const options = {
    'data-dir': { type: 'string' },
    'passphrase-file': { type: 'string' },
    'encrypt-to': { type: 'string', multiple: true },
    overwrite: { type: 'boolean' },
    'identity-file': { type: 'string' },
    site: { type: 'string', multiple: true },
    unseen: { type: 'string', multiple: true },
    lose: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  return flagsIn(args, options, (said) => new ConfigRefused([`${said} See cappstan hub backup --help.`]));
}
