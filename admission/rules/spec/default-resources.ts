// Containers without cpu and memory get the defaults of the RCSConfig. What a container sets stays, and no
// default contradicts it: no site accepts a Pod whose request is above its limit.
import type { Common } from '../../known.ts';
import type { RcsConfigSpec } from '../../../crds/hub/rcs-config.ts';
import { isFields, type Fields } from '../../../kube/fields.ts';
import { amount, at, byName, listAt, textAt } from '../../fields.ts';
import type { RuleResult, AdmissionRule } from '../../rule.ts';
import { applied, pointer, type Operation } from '../../patch.ts';
import { hasChanged } from '../../request.ts';

type Defaults = NonNullable<RcsConfigSpec['defaultResources']>;
type Kind = 'requests' | 'limits';

const CONTAINERS = ['spec', 'configurationSpec', 'template', 'spec', 'containers'] as const;
const KINDS = ['requests', 'limits'] as const;
const NAMES = ['cpu', 'memory'] as const;

export const defaultResources: AdmissionRule<Common> = (request, { config }) => {
  const defaults = config?.defaultResources;
  if (defaults === undefined || !hasChanged(request, 'spec')) return {};
  const before = byName(listAt(request.oldObject, ...CONTAINERS));
  const results = listAt(request.object, ...CONTAINERS).map((container, index) => {
    const former = before.get(textAt(container, 'name'));
    return forContainer(container, index, { defaults, former: at(former, 'resources') });
  });
  return {
    patches: results.flatMap(({ patches = [] }) => patches),
    warnings: results.flatMap(({ warnings = [] }) => warnings),
  };
};

interface Rest {
  readonly defaults: Defaults;
  /** What the container of that name set before, if there was one. */
  readonly former: unknown;
}

function forContainer(container: unknown, index: number, { defaults, former }: Rest): RuleResult {
  const resources = at(container, 'resources') ?? undefined;
  // The schema says what is wrong with other shapes.
  if (!isFields(container) || (resources !== undefined && !isFields(resources))) return {};
  const path = [...CONTAINERS, index, 'resources'];
  const stale = KINDS.flatMap((kind) =>
    staleOf(resources ?? {}, former, { kind, defaults }).map((name) => [kind, name] as const),
  );
  const removals = stale.map(([kind, name]): Operation => ({
    op: 'remove',
    path: pointer(...path, kind, name),
  }));
  const said = applied(
    resources ?? {},
    stale.map(([kind, name]) => ({ op: 'remove', path: pointer(kind, name) })),
  ) as Fields;
  const parts = KINDS.map((kind) => ({ kind, ...missing(said, kind, defaults) }));
  const warnings = parts.flatMap(({ kind, contradicting }) =>
    contradicting.map((name) => warningFor(container, index, kind, name)),
  );
  const additions = parts.filter(({ values }) => Object.keys(values).length > 0);
  if (resources === undefined && additions.length > 0) {
    const value = Object.fromEntries(additions.map(({ kind, values }) => [kind, values]));
    return { warnings, patches: [{ op: 'add', path: pointer(...path), value }] };
  }
  return {
    warnings,
    patches: [
      ...removals,
      ...additions.flatMap(({ kind, values }) => additionTo(said, [...path, kind], values)),
    ],
  };
}

/**
 * Defaults of an earlier write that contradict what the author sets now: nobody chose them, so they are
 * removed.
 */
function staleOf(
  resources: Fields,
  former: unknown,
  { kind, defaults }: { kind: Kind; defaults: Defaults },
): string[] {
  const other = kind === 'limits' ? 'requests' : 'limits';
  return NAMES.filter((name) => {
    const value = amount(at(resources, kind, name));
    const isDefault = value === amount(defaults[kind]?.[name]) && value === amount(at(former, kind, name));
    const limiting = amount(at(resources, other, name));
    const isNew = limiting !== amount(at(former, other, name));
    return isDefault && isNew && (kind === 'limits' ? value < limiting : value > limiting);
  });
}

/**
 * What the container does not set, apart from defaults that contradict what it sets, such as a limit below
 * its request.
 */
function missing(
  resources: Fields,
  kind: Kind,
  defaults: Defaults,
): { values: Fields; contradicting: string[] } {
  const own = resources[kind] ?? {};
  if (!isFields(own)) return { values: {}, contradicting: [] };
  const wanted = NAMES.filter(
    (name) => defaults[kind]?.[name] !== undefined && (own[name] ?? undefined) === undefined,
  );
  const isContradicting = (name: string): boolean => {
    const value = amount(defaults[kind]?.[name]);
    return kind === 'limits'
      ? value < amount(at(resources, 'requests', name))
      : value > amount(at(resources, 'limits', name));
  };
  const values = wanted
    .filter((name) => !isContradicting(name))
    .map((name) => [name, defaults[kind]?.[name]]);
  return { values: Object.fromEntries(values) as Fields, contradicting: wanted.filter(isContradicting) };
}

function additionTo(resources: Fields, path: readonly (string | number)[], values: Fields): Operation[] {
  const kind = path.at(-1) ?? '';
  if (!isFields(resources[kind])) return [{ op: 'add', path: pointer(...path), value: values }];
  return Object.entries(values).map(([name, value]) => ({ op: 'add', path: pointer(...path, name), value }));
}

function warningFor(container: Fields, index: number, kind: Kind, name: string): string {
  const field = `${CONTAINERS.join('.')}[${index}].resources.${kind}.${name}`;
  const other = kind === 'limits' ? 'its request is above the default' : 'its limit is below the default';
  return `${field} gets no default, because ${other}: set what container ${String(container['name'])} needs.`;
}
