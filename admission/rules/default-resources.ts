// Containers that do not say how much cpu and memory they need get what the RCSConfig says. What they say stands.
import type { RcsConfigSpec } from '../../crds/rcs-config.ts';
import { at, isFields, listAt, type Fields } from '../look.ts';
import type { Opinion, Rule } from '../opinion.ts';
import { pointer, type Operation } from '../patch.ts';
import { amount } from '../quantity.ts';
import { hasChanged } from '../request.ts';

type Defaults = NonNullable<RcsConfigSpec['defaultResources']>;
type Kind = 'requests' | 'limits';

const CONTAINERS = ['spec', 'configurationSpec', 'template', 'spec', 'containers'] as const;
const KINDS = ['requests', 'limits'] as const;
const NAMES = ['cpu', 'memory'] as const;

export const defaultResources: Rule = (request, { config }) => {
  const defaults = config?.defaultResources;
  if (defaults === undefined || !hasChanged(request, 'spec')) return {};
  const opinions = listAt(request.object, ...CONTAINERS).map((container, index) => forContainer(container, index, defaults));
  return { patches: opinions.flatMap(({ patches = [] }) => patches), warnings: opinions.flatMap(({ warnings = [] }) => warnings) };
};

function forContainer(container: unknown, index: number, defaults: Defaults): Opinion {
  const resources = at(container, 'resources') ?? undefined;
  // The schema says what is wrong with other shapes.
  if (!isFields(container) || (resources !== undefined && !isFields(resources))) return {};
  const parts = KINDS.map((kind) => ({ kind, ...missing(resources ?? {}, kind, defaults) }));
  const warnings = parts.flatMap(({ kind, contradicting }) => contradicting.map((name) => warningFor(container, index, kind, name)));
  const additions = parts.filter(({ values }) => Object.keys(values).length > 0);
  if (additions.length === 0) return { warnings };
  const path = [...CONTAINERS, index, 'resources'];
  if (resources === undefined) {
    const value = Object.fromEntries(additions.map(({ kind, values }) => [kind, values]));
    return { warnings, patches: [{ op: 'add', path: pointer(...path), value }] };
  }
  return { warnings, patches: additions.flatMap(({ kind, values }) => additionTo(resources, [...path, kind], values)) };
}

/** What the container does not say. A default that contradicts what it does say, such as a limit below its request, is none of it. */
function missing(resources: Fields, kind: Kind, defaults: Defaults): { values: Fields; contradicting: string[] } {
  const own = resources[kind] ?? {};
  if (!isFields(own)) return { values: {}, contradicting: [] };
  const wanted = NAMES.filter((name) => defaults[kind]?.[name] !== undefined && (own[name] ?? undefined) === undefined);
  const isContradicting = (name: string): boolean => {
    const value = amount(defaults[kind]?.[name]);
    return kind === 'limits' ? value < amount(at(resources, 'requests', name)) : value > amount(at(resources, 'limits', name));
  };
  const values = wanted.filter((name) => !isContradicting(name)).map((name) => [name, defaults[kind]?.[name]]);
  return { values: Object.fromEntries(values) as Fields, contradicting: wanted.filter(isContradicting) };
}

function additionTo(resources: Fields, path: readonly (string | number)[], values: Fields): Operation[] {
  const kind = path.at(-1) ?? '';
  if (!isFields(resources[kind])) return [{ op: 'add', path: pointer(...path), value: values }];
  return Object.entries(values).map(([name, value]) => ({ op: 'add', path: pointer(...path, name), value }));
}

function warningFor(container: Fields, index: number, kind: Kind, name: string): string {
  const field = `${CONTAINERS.join('.')}[${index}].resources.${kind}.${name}`;
  const other = kind === 'limits' ? 'its request is above it' : 'its limit is below it';
  return `${field} does not get its default, since ${other}: say what container ${String(container['name'])} needs.`;
}
