// What `kubectl capp set` changes in the spec of an app: that of a Capp, or the template of a CappSet. Pure.
import { withEdits, type EnvEdit } from './env.ts';

/** As it is on the hub; all that is not named here stays. */
export interface AppSpec {
  readonly configurationSpec: {
    readonly template: { readonly spec: { readonly containers: readonly Container[] } };
  };
  readonly routeSpec?: { readonly hostname?: string };
}

interface Container {
  readonly name: string;
  readonly image?: string;
  readonly env?: readonly { readonly name: string }[];
}

/** Says why an edit cannot be made, and what would help. */
export class BadEdit extends Error {}

export type SpecEdit = (spec: AppSpec) => AppSpec;

/** `container`: its name; null for the only one. */
export function imageEdit(container: string | null, image: string): SpecEdit {
  return (spec) => inContainer(spec, container, (one) => ({ ...one, image }));
}

export function envEdit(container: string | null, edits: readonly EnvEdit[]): SpecEdit {
  return (spec) =>
    inContainer(spec, container, ({ env = [], ...one }) => {
      const after = withEdits(env, edits);
      return after.length === 0 ? one : { ...one, env: after };
    });
}

/** Empty takes the hostname away. */
export function hostnameEdit(hostname: string): SpecEdit {
  return ({ routeSpec = {}, ...spec }) => {
    const { hostname: _before, ...rest } = routeSpec;
    const route = hostname === '' ? rest : { ...rest, hostname };
    return Object.keys(route).length === 0 ? spec : { ...spec, routeSpec: route };
  };
}

function inContainer(
  spec: AppSpec,
  name: string | null,
  change: (container: Container) => Container,
): AppSpec {
  const { template } = spec.configurationSpec;
  const { containers } = template.spec;
  const names = containers.map((one) => one.name);
  const wanted = name ?? (names.length === 1 ? names[0] : undefined);
  if (wanted === undefined)
    throw new BadEdit(
      `It has several containers: say which with <container>= or -c. It has: ${names.join(', ')}.`,
    );
  if (!names.includes(wanted))
    throw new BadEdit(`It has no container ${wanted}. It has: ${names.join(', ')}.`);
  const changed = containers.map((one) => (one.name === wanted ? change(one) : one));
  return {
    ...spec,
    configurationSpec: {
      ...spec.configurationSpec,
      template: { ...template, spec: { ...template.spec, containers: changed } },
    },
  };
}
