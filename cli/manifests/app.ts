// Capps and CappSets as the flags of `kubectl capp create` describe them. Pure: what a field may hold, the
// hub says.
import { CAPP } from '../../crds/capp/capp.ts';
import { CAPP_SET } from '../../crds/set/cappset.ts';
import type { KubeObject } from '../../kube/resource.ts';
import type { EnvEdit } from './env.ts';

export interface WrittenManifest extends KubeObject {
  readonly spec: object;
}

export interface App {
  readonly namespace: string;
  readonly name: string;
  readonly image: string;
  readonly env: readonly EnvEdit[];
  /** ConfigMaps and Secrets whose keys become variables. */
  readonly envFrom: readonly { readonly kind: 'configmap' | 'secret'; readonly name: string }[];
  readonly hostname?: string | undefined;
}

/** The name of a Placement, or the sites. */
export type Where =
  | { readonly placement: string }
  | { readonly sites: { readonly clusters: readonly string[] } };

/** `site`: a site or a Placement; the best site if not given. */
export function cappFrom(app: App, site: string | undefined): WrittenManifest {
  const { namespace, name } = app;
  const { apiVersion, kind } = CAPP;
  const spec = { ...(site === undefined ? {} : { site }), ...specFrom(app) };
  return { apiVersion, kind, metadata: { namespace, name }, spec };
}

export function setFrom(app: App, where: Where): WrittenManifest {
  const { namespace, name } = app;
  const { apiVersion, kind } = CAPP_SET;
  const spec = { ...where, template: { spec: specFrom(app) } };
  return { apiVersion, kind, metadata: { namespace, name }, spec };
}

/** The container has the name of the app. */
function specFrom({ name, image, env, envFrom, hostname }: App): object {
  const variables = env.map((one) => ({ name: one.name, value: one.value ?? '' }));
  const sources = envFrom.map((one) => ({
    [one.kind === 'secret' ? 'secretRef' : 'configMapRef']: { name: one.name },
  }));
  const container = {
    name,
    image,
    ...(variables.length === 0 ? {} : { env: variables }),
    ...(sources.length === 0 ? {} : { envFrom: sources }),
  };
  return {
    configurationSpec: { template: { spec: { containers: [container] } } },
    ...(hostname === undefined ? {} : { routeSpec: { hostname } }),
  };
}
