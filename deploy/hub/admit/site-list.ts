// What a site says that OCM's agent has applied there: the output of
// `kubectl get appliedmanifestworks -o json`, which a person brings.
import { readFile } from 'node:fs/promises';
import { whyUnread } from '../../local/given.ts';
import { ConfigRefused } from '../config/refused.ts';

/** An object on a site. `resource` is the plural, without a version. */
export interface ListedObject {
  readonly group: string;
  readonly resource: string;
  /** Empty for what is in no namespace. */
  readonly namespace: string;
  readonly name: string;
}

/** One AppliedManifestWork. */
export interface AppliedWork {
  /** SHA-256 of the address at which the agent knows the hub. */
  readonly hubHash: string;
  /** The name of the ManifestWork on the hub. */
  readonly work: string;
  readonly objects: readonly ListedObject[];
}

/** How a person gets the file. */
export function commandFor(cluster: string): string {
  return `kubectl get appliedmanifestworks -o json > ${cluster}.json`;
}

/** Throws ConfigRefused for anything else than such a list. */
export async function siteListIn(cluster: string, file: string): Promise<readonly AppliedWork[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new ConfigRefused([`--site ${cluster}: ${file} ${whyUnread(error)}. ${remedyFor(cluster)}`]);
  });
  try {
    return listOf(JSON.parse(text));
  } catch {
    throw new ConfigRefused([
      `--site ${cluster}: ${file} is no list of AppliedManifestWorks. ${remedyFor(cluster)}`,
    ]);
  }
}

function remedyFor(cluster: string): string {
  return `On the site: ${commandFor(cluster)}`;
}

function listOf(content: unknown): readonly AppliedWork[] {
  return arrayIn(content, 'items').map((item) => {
    if (fieldIn(item, 'kind') !== 'AppliedManifestWork') throw new Error('another kind');
    const [spec, status] = [fieldIn(item, 'spec'), fieldIn(item, 'status') ?? {}];
    return {
      hubHash: textIn(spec, 'hubHash'),
      work: textIn(spec, 'manifestWorkName'),
      objects: arrayIn(status, 'appliedResources', []).map((one) => ({
        group: textIn(one, 'group', ''),
        resource: textIn(one, 'resource'),
        namespace: textIn(one, 'namespace', ''),
        name: textIn(one, 'name'),
      })),
    };
  });
}

function fieldIn(value: unknown, field: string): unknown {
  if (typeof value !== 'object' || value === null) throw new Error('no object');
  return (value as Record<string, unknown>)[field];
}

function textIn(value: unknown, field: string, otherwise?: string): string {
  const text = fieldIn(value, field) ?? otherwise;
  if (typeof text !== 'string') throw new Error(field);
  return text;
}

function arrayIn(value: unknown, field: string, otherwise?: readonly unknown[]): readonly unknown[] {
  const list = fieldIn(value, field) ?? otherwise;
  if (!Array.isArray(list)) throw new Error(field);
  return list as readonly unknown[];
}
