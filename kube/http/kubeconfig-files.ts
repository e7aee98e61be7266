// The files of KUBECONFIG as one configuration, as kubectl puts them together.
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { isScalar, parse, parseDocument } from 'yaml';
import { KubeConfig } from './kube-config.ts';

/** A file that is there and is no kubeconfig, or may not be read. */
export class UnreadableKubeconfig extends Error {
  constructor(file: string, why: string) {
    super(`The kubeconfig ${file} cannot be read: ${why}`);
    this.name = 'UnreadableKubeconfig';
  }
}

export type Config = InstanceType<typeof KubeConfig>;

/**
 * What `file` holds; without one, what those hold that KUBECONFIG names, or else the home folder or the Pod.
 * Throws UnreadableKubeconfig, with the place and the kind of the fault and nothing that the file holds: that
 * may be a token. What the file system says of a file that is not there is thrown as it is.
 */
export function configIn(file: string | undefined): Config {
  if (file !== undefined) return fromFile(file);
  const files = filesByDefault();
  if (files.length > 0) return together(files.map(fromFile));
  const config = new KubeConfig();
  config.loadFromDefault();
  return config;
}

/**
 * The files that are read when none is named; none in a Pod. Of several those that are not there are left
 * out.
 */
function filesByDefault(): string[] {
  const named = (process.env['KUBECONFIG'] ?? '').split(delimiter).filter(Boolean);
  const there = named.filter((file) => existsSync(file));
  const own = join(homedir(), '.kube', 'config');
  if (named.length > 0) return there.length > 0 ? there : named.slice(0, 1);
  return existsSync(own) ? [own] : [];
}

/**
 * The first file that has a name, or a current context, counts. The library takes the last file's context,
 * and refuses names that come twice: so a command would act on another cluster than kubectl.
 */
function together(configs: readonly Config[]): Config {
  const all = new KubeConfig();
  all.loadFromOptions({
    clusters: firstOfName(configs.map((one) => one.getClusters())),
    users: firstOfName(configs.map((one) => one.getUsers())),
    contexts: firstOfName(configs.map((one) => one.getContexts())),
    currentContext: configs.map((one) => one.getCurrentContext()).find(Boolean),
  });
  return all;
}

function firstOfName<T extends { readonly name: string }>(lists: readonly (readonly T[] | undefined)[]): T[] {
  const found = new Map<string, T>();
  for (const one of lists.flatMap((list) => list ?? [])) if (!found.has(one.name)) found.set(one.name, one);
  return [...found.values()];
}

function fromFile(file: string): Config {
  const config = new KubeConfig();
  try {
    const text = readFileSync(file, 'utf8');
    if (isEmpty(text)) config.loadFromOptions({ clusters: [], users: [], contexts: [] });
    else {
      config.loadFromFile(file);
      adoptTokenFiles(config, { file, text });
    }
  } catch (error) {
    throw existsSync(file) ? unreadable(file, error) : error;
  }
  return config;
}

/** As kubectl takes it: also a file of comments alone. */
function isEmpty(text: string): boolean {
  const { contents, errors } = parseDocument(text);
  return errors.length === 0 && (contents === null || (isScalar(contents) && contents.value === null));
}

/** Where a parser says that the fault is, at the end of its first line. */
const PLACE = /(?: \(\d+:\d+\)| at line \d+, column \d+)?:?$/;
/** Behind these signs a parser may name what it has found. */
const QUOTED = /\s*[:"'`<>!*&%].*$/;

function unreadable(file: string, error: unknown): UnreadableKubeconfig {
  return new UnreadableKubeconfig(file, faultOf(error as Partial<Error>));
}

/** Without any part of the file: behind the first line a parser quotes the lines around the fault. */
function faultOf(error: Partial<Error>): string {
  const [line = ''] = (error.message ?? '').split('\n');
  if ('syscall' in error) return line;
  if (error.name === 'TypeError') return 'it has not the form of a kubeconfig';
  const [place = ''] = PLACE.exec(line) ?? [];
  const what = line.slice(0, line.length - place.length).replace(QUOTED, '');
  return `${what}${place.replace(/:$/, '')}`;
}

interface RawConfig {
  readonly users?: readonly { readonly name?: string; readonly user?: { readonly tokenFile?: string } }[];
}

/** client-node overlooks a user's `tokenFile`, but follows the same file when an auth provider names it. */
function adoptTokenFiles(
  config: Config,
  { file, text }: { readonly file: string; readonly text: string },
): void {
  const raw = parse(text, { logLevel: 'error' }) as RawConfig | null;
  for (const { name, user } of raw?.users ?? []) {
    const known = config.getUsers().find((candidate) => candidate.name === name);
    if (known === undefined || user?.tokenFile === undefined || known.authProvider) continue;
    Object.assign(known, {
      authProvider: { name: 'tokenFile', config: { tokenFile: resolve(dirname(file), user.tokenFile) } },
    });
  }
}
