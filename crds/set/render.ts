// What a CappSet writes on one site: its template with the overrides that match, and the placeholders filled
// in. Pure.
import { canonical, digestOf } from '../digest.ts';
import { labelOf, selects } from '../kubernetes/label-selector.ts';
import { WHOLE } from '../rollout/revision.ts';
import type { CappSetSpec } from './cappset.ts';
import { withoutEmptyLists } from './empty-lists.ts';
import { isFields, type Fields } from '../../kube/fields.ts';

export interface SiteFacts {
  readonly cluster: string;
  readonly labels: Readonly<Record<string, string>>;
}

export interface RenderedChild {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: Readonly<Record<string, unknown>>;
  /** Its hostname does not name the site, so its siblings have it as well. */
  readonly sharesHostname: boolean;
}

export type Rendering = RenderedChild | { readonly missingLabel: string };

/** What a revision is of. */
export type RevisionContent = Pick<CappSetSpec, 'template' | 'overrides'>;

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const OF_LABEL = 'label:';
/** Kept of one pattern at a time: more of them would be kept for nothing. */
const MOST_VARIANTS = 64;
const QUERY = /^spec\.migration\.verify\[\d+\]\.prometheus\.query$/;
const KEY = /^label:([A-Za-z0-9]([-A-Za-z0-9_./]*[A-Za-z0-9])?)$/;

/** The first ten digits are those of earlier versions (`isSameRevision`). */
export function revisionOf({ template, overrides = [] }: RevisionContent): string {
  return digestOf(canonical({ template, overrides }), WHOLE);
}

/** A digest of what is written on a site. */
export function contentOf({ labels, annotations, spec }: RenderedChild): string {
  return digestOf(canonical({ labels, annotations, spec }), 10);
}

/** A label of the site that the template names and the site does not have leaves nothing to be written. */
export function render(pattern: RevisionContent, site: SiteFacts): Rendering {
  return renderer(pattern)(site);
}

/** For many sites of one pattern: what sites with the same overrides share is made once. */
export function renderer(pattern: RevisionContent): (site: SiteFacts) => Rendering {
  const variants = new Map<string, unknown>();
  const askedIn = askings();
  return (site) => {
    const key = variantOf(pattern, site.labels);
    const merged = variants.get(key) ?? withoutEmptyLists(templateFor(pattern, site.labels));
    if (variants.size >= MOST_VARIANTS) variants.clear();
    variants.set(key, merged);
    const missingLabel = [...askedIn(merged)]
      .filter((name) => name.startsWith(OF_LABEL))
      .map((name) => name.slice(OF_LABEL.length))
      .find((label) => labelOf(site.labels, label) === undefined);
    if (missingLabel !== undefined) return { missingLabel };
    const filled = fill(merged, site, askedIn) as { metadata?: Partial<RenderedChild>; spec?: Fields };
    const { site: _site, ...spec } = filled.spec ?? {};
    const hostname = (merged as { spec?: { routeSpec?: { hostname?: string } } }).spec?.routeSpec?.hostname;
    return {
      labels: filled.metadata?.labels ?? {},
      annotations: filled.metadata?.annotations ?? {},
      spec: { ...spec, site: site.cluster },
      sharesHostname: hostname !== undefined && hostname !== '' && !hostname.includes('{{site}}'),
    };
  };
}

/** Which of the overrides a site with these labels gets. */
export function variantOf({ overrides = [] }: RevisionContent, labels: SiteFacts['labels']): string {
  return overrides.map(({ clusterSelector }) => Number(selects(clusterSelector, labels))).join('');
}

/** The template with the overrides for a site that has these labels. */
export function templateFor(
  { template, overrides = [] }: RevisionContent,
  labels: SiteFacts['labels'],
): unknown {
  return overrides
    .filter(({ clusterSelector }) => selects(clusterSelector, labels))
    .reduce<unknown>((whole, { patch }) => mergePatch(whole, patch), template);
}

/** RFC 7396. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch;
  const merged = new Map(Object.entries(isFields(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

export interface Placeholder {
  /** As a user would write it, relative to the value. */
  readonly path: string;
  readonly name: string;
}

/** All placeholders in the texts of a value. A `{{` that begins none has the name `{{`. */
export function placeholdersIn(value: unknown, path = ''): Placeholder[] {
  if (typeof value === 'string') {
    const names = [...value.matchAll(PLACEHOLDER)].map(([, name = '']) => ({ path, name }));
    return value.replaceAll(PLACEHOLDER, '').includes('{{') ? [...names, { path, name: '{{' }] : names;
  }
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => placeholdersIn(item, `${path}[${index}]`));
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    placeholdersIn(item, path === '' ? name : `${path}.${name}`),
  );
}

/** In a query of a check, those of the Capp are left to the agent that asks it. */
export function isKnownPlaceholder({ name, path }: Placeholder): boolean {
  const isOfCapp = name === 'namespace' || name === 'name';
  return name === 'site' || KEY.test(name) || (isOfCapp && QUERY.test(path));
}

type Asked = ReadonlySet<string>;

const NOTHING: Asked = new Set();

/**
 * The names of the placeholders in the texts of a value, in order; each part of it is looked through once.
 */
function askings(): (value: unknown) => Asked {
  const known = new WeakMap<object, Asked>();
  const askedIn = (value: unknown): Asked => {
    if (typeof value === 'string') return value.includes('{{') ? namesIn(value) : NOTHING;
    if (typeof value !== 'object' || value === null) return NOTHING;
    const found = known.get(value) ?? union(Object.values(value).map(askedIn));
    known.set(value, found);
    return found;
  };
  return askedIn;
}

function namesIn(text: string): Asked {
  return new Set([...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name));
}

function union(sets: readonly Asked[]): Asked {
  const some = sets.filter(({ size }) => size > 0);
  return some.length === 0 ? NOTHING : new Set(some.flatMap((one) => [...one]));
}

/** What asks for nothing stays the same object. */
function fill(value: unknown, site: SiteFacts, askedIn: (value: unknown) => Asked): unknown {
  if (askedIn(value).size === 0) return value;
  if (typeof value === 'string')
    return value.replaceAll(PLACEHOLDER, (whole, name: string) =>
      name === 'site'
        ? site.cluster
        : ((name.startsWith(OF_LABEL) ? labelOf(site.labels, name.slice(OF_LABEL.length)) : undefined) ??
          whole),
    );
  if (Array.isArray(value)) return value.map((item: unknown) => fill(item, site, askedIn));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fill(item, site, askedIn)]));
}
