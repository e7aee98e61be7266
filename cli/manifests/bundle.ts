// A Bundle as `kubectl capp create bundle` makes it of files. Pure.
import { BUNDLE, type Bundle } from '../../crds/bundle/bundle.ts';
import type { Manifest } from '../../crds/ocm/ocm.ts';
import type { Where, WrittenManifest } from './app.ts';

export interface NewBundle {
  readonly namespace: string;
  readonly name: string;
  readonly manifests: readonly Manifest[];
  /** Null: where it is. */
  readonly where: Where | null;
}

export function bundleFrom({ namespace, name, manifests, where }: NewBundle): WrittenManifest {
  const { apiVersion, kind } = BUNDLE;
  return { apiVersion, kind, metadata: { namespace, name }, spec: { ...where, manifests } };
}

/**
 * The Bundle with these manifests; its stages, rules and sources stay, and its sites unless others are named.
 */
export function withManifests(bundle: Bundle, { manifests, where }: NewBundle): WrittenManifest {
  const { placement, sites, ...rest } = bundle.spec;
  const stays = {
    ...(placement === undefined ? {} : { placement }),
    ...(sites === undefined ? {} : { sites }),
  };
  return { ...(bundle as Bundle & WrittenManifest), spec: { ...rest, ...(where ?? stays), manifests } };
}
