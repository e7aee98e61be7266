// Every example of our kinds in a page is one that the schemas take: a reader pastes it.
import { readdirSync, readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { BundleSpec } from '../../../../crds/bundle/bundle.ts';
import { CappSpec } from '../../../../crds/capp/capp.ts';
import { DrainSpec } from '../../../../crds/drain/drain.ts';
import { RcsConfigSpec } from '../../../../crds/hub/rcs-config.ts';
import { SipClusterSpec } from '../../../../crds/metal/sip-cluster.ts';
import { CappSetSpec } from '../../../../crds/set/cappset.ts';
import { blocksOf } from '../../../newcomer/blocks.ts';
import { readConfig } from '../../../../site/config/read.ts';
import type { CappConfig } from '../../../../site/config/capp-config.ts';

const DOCS = new URL('../../../../docs/', import.meta.url);
const SCHEMAS = {
  Bundle: BundleSpec,
  Capp: CappSpec,
  CappSet: CappSetSpec,
  Drain: DrainSpec,
  RCSConfig: RcsConfigSpec,
  SIPCluster: SipClusterSpec,
} as const;

type Fields = Readonly<Record<string, unknown>>;

interface Example {
  readonly page: string;
  readonly kind: string;
  readonly object: Fields;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Fields that a schema does not know, and leaves out. */
function unknownIn(given: unknown, read: unknown, path: string): string[] {
  if (Array.isArray(given) && Array.isArray(read))
    return given.flatMap((one, index) => unknownIn(one, read[index], `${path}[${index}]`));
  if (!isObject(given) || !isObject(read)) return [];
  return Object.entries(given).flatMap(([name, value]) =>
    Object.hasOwn(read, name) ? unknownIn(value, read[name], `${path}.${name}`) : [`${path}.${name}`],
  );
}

/** Blocks of YAML, and what commands of the shell are given as their input. */
function yamlIn(text: string): string[] {
  const blocks = blocksOf(text);
  const yaml = blocks.filter(({ language }) => language === 'yaml').map((block) => block.text);
  const inputs = blocks.flatMap((block) =>
    [...block.text.matchAll(/<<EOF\n(.*?)^EOF$/gms)].map(([, input = '']) => input),
  );
  return [...yaml, ...inputs];
}

const examples: readonly Example[] = readdirSync(DOCS)
  .filter((page) => page.endsWith('.md'))
  .flatMap((page) =>
    yamlIn(readFileSync(new URL(page, DOCS), 'utf8'))
      .flatMap((block) => parseAllDocuments(block).map((one) => one.toJS() as unknown))
      .filter(isObject)
      .map((object) => ({ page, kind: String(object['kind']), object })),
  );

test('examples of each kind are found', () => {
  const kinds = new Set(examples.map(({ kind }) => kind));
  expect([...Object.keys(SCHEMAS), 'CappConfig'].filter((kind) => !kinds.has(kind))).toEqual([]);
});

test.each(examples.filter(({ kind }) => Object.hasOwn(SCHEMAS, kind)))(
  'the $kind in $page is one that the API server takes',
  ({ kind, object }) => {
    const { success, error, data } = SCHEMAS[kind as keyof typeof SCHEMAS].safeParse(object['spec']);
    expect(success ? [] : error.issues).toEqual([]);
    expect(unknownIn(object['spec'], data, 'spec')).toEqual([]);
  },
);

test.each(examples.filter(({ kind }) => kind === 'CappConfig'))(
  'each field of the CappConfig in $page has an effect',
  ({ object }) => {
    expect(readConfig([object as unknown as CappConfig]).problems).toEqual([]);
  },
);
